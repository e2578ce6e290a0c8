package input

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/lmclint/lmclint/internal/protocol"
)

// prefixed finds a line on which a record stands behind other text.
var prefixed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^{\["'][^{]*[^{\w$\\]\{\s*["'](role|type|content|start|end|format)["']\s*:`)
})

// howToWrite says how to write a record that is not JSON, by what it looks
// like.
func howToWrite(data []byte) string {
	data = bytes.TrimSpace(data[:min(len(data), protocol.MaxInspected)])
	words := bareWords(data)
	has := func(word string) bool { return slices.Contains(words, word) }
	switch {
	case bytes.HasPrefix(data, []byte("\ufeff")):
		return "take the mark off; it stands where a file with one was put behind another"
	case bytes.HasPrefix(data, []byte("data:")):
		return `this is a line of server-sent events: take off "data:", so that the JSON remains`
	case bytes.HasPrefix(data, []byte("Traceback (")):
		return "the program failed here: its last line says why; keep standard error out of the recording"
	case prefixed().Match(data):
		return "text stands before the record on its line: take it off, or pass --form log, which reads what logs put before records"
	case bytes.HasPrefix(data, []byte("{'")), has("True"), has("False"), has("None"):
		return "print(chunk) writes Python literals: write json.dumps(chunk) instead"
	case has("NaN"), has("Infinity"):
		return "JSON has no NaN and no Infinity: write null or a string; in Python, json.dumps(chunk, allow_nan=False) finds them"
	case has("undefined"):
		return "JSON has no undefined: leave the key out, or write null"
	}
	return "records are best written by a library: json.dumps(chunk) in Python, JSON.stringify(chunk) in JavaScript"
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

// stringLength is the length of the string that the text begins with.
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
