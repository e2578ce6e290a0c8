package input

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/protocol"
)

// prefixed matches a line on which a record follows other text.
var prefixed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^{\["'][^{]*[^{\w$\\]\{\s*["'](role|type|content|start|end|format)["']\s*:`)
})

// jsonHelp returns how to write a record that is not JSON, judging by what it
// looks like.
func jsonHelp(data []byte) string {
	data = bytes.TrimSpace(data[:min(len(data), protocol.MaxInspected)])
	words := bareWords(data)
	has := func(word string) bool { return slices.Contains(words, word) }
	switch {
	case bytes.HasPrefix(data, []byte("\ufeff")):
		return "remove the mark; it is left over from concatenated files"
	case bytes.HasPrefix(data, []byte("data:")):
		return `this is a line of server-sent events: remove "data:"`
	case bytes.HasPrefix(data, []byte("Traceback (")):
		return "keep standard error out of the recording; the last line of the traceback names the failure"
	case prefixed().Match(data):
		return "remove the text before the record, or pass --form log"
	case bytes.HasPrefix(data, []byte("{'")), has("True"), has("False"), has("None"):
		return "write json.dumps(chunk) instead of print(chunk), which writes Python literals"
	case has("NaN"), has("Infinity"):
		return "write null or a string instead of NaN and Infinity; in Python, json.dumps(chunk, allow_nan=False) finds them"
	case has("undefined"):
		return "omit the key or write null instead of undefined"
	}
	return "write records with a library: json.dumps(chunk) in Python, JSON.stringify(chunk) in JavaScript"
}

// bareWords returns the words outside double quotes.
func bareWords(data []byte) []string {
	var words []string
	for len(data) > 0 {
		switch c := data[0]; {
		case c == '"':
			data = data[stringLength(data):]
		case isLetter(c):
			n := 1
			for n < len(data) && isLetter(data[n]) {
				n++
			}
			words = append(words, string(data[:n]))
			data = data[n:]
		default:
			data = data[1:]
		}
	}
	return words
}

// stringLength returns the length in bytes of the string that data starts with.
func stringLength(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
