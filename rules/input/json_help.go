package input

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source/value"
)

// prefixed matches a line on which a record follows other text.
var prefixed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^{\["'][^{]*[^{\w$\\]\{\s*["'](role|type|content|start|end|format)["']\s*:`)
})

// isDone reports whether text is the line that ends an event stream of OpenAI.
func isDone(data []byte) bool { return bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) }

// endsTooEarly reports whether a word follows a value, which is probably part of a
// string before it.
func endsTooEarly(detail string) bool {
	rest, found := strings.CutPrefix(detail, "found `")
	return found && rest != "" && isLetter(rune(rest[0])) && strings.HasSuffix(rest, ", expected a comma or `}`")
}

// jsonHelp returns how to write a record that is not JSON, by what it looks like.
func jsonHelp(e *protocol.Problem) string {
	data := bytes.TrimSpace(e.Record.Data[:min(len(e.Record.Data), protocol.MaxInspected)])
	words := bytes.FieldsFunc(texts().ReplaceAll(data, []byte(" ")), func(c rune) bool { return !isLetter(c) })
	has := func(word string) bool {
		return slices.ContainsFunc(words, func(w []byte) bool { return string(w) == word })
	}
	switch {
	case isDone(data):
		return "remove it; a stream of LMC ends with its last record"
	case endsTooEarly(e.Detail):
		return "check the quotes before it: a string ends with `\"`, and one inside a string is written `\\\"`"
	case e.Related != nil && e.Record.Python:
		return "close the string with the quote that opened it; write a line feed inside a string as `\\n`"
	case e.Related != nil:
		return "close the string with `\"`; write a line feed inside a string as `\\n`"
	case causeHelp[e.Cause] != "":
		return causeHelp[e.Cause]
	case string(data) == "]":
		return "remove it, or add the missing `[` before the first record"
	case bytes.HasPrefix(data, []byte("\ufeff")):
		return "remove the mark; it is left over from concatenated files"
	case bytes.HasPrefix(data, []byte("data:")):
		return `this is a line of server-sent events: remove "data:"`
	case bytes.HasPrefix(data, []byte("Traceback (")):
		return "keep standard error out of the recording; the last line of the traceback names the failure"
	case prefixed().Match(data):
		return "remove the text before the record, or pass --form text"
	case bytes.HasPrefix(data, []byte("{'")), has("True"), has("False"), has("None"):
		return "write json.dumps(chunk) instead of print(chunk), which writes Python literals"
	case has("NaN"), has("Infinity"):
		return "write null or a string instead of NaN and Infinity; in Python, json.dumps(chunk, allow_nan=False) finds them"
	case has("undefined"):
		return "omit the key or write null instead of undefined"
	case string(data) == ";", string(data) == ")":
		return "remove it from each line: JSON Lines has nothing between records but line feeds"
	case len(data) > 0 && !bytes.ContainsAny(data, "{}") && !bytes.ContainsAny(data[:1], `[]"',`):
		return "remove the text: keep other output out of the recording; if it is a log, pass --form text"
	}
	for _, r := range remedies {
		if strings.Contains(e.Detail, r.detail) {
			return r.help
		}
	}
	return "write records with a library: json.dumps(chunk) in Python, JSON.stringify(chunk) in JavaScript"
}

// causeHelp says what to do about a mistake between records.
var causeHelp = map[value.Cause]string{
	value.CommaAfter:    "remove them: JSON Lines has no commas between records; a list needs brackets around it",
	value.MissingComma:  "add the comma before it",
	value.MissingCommas: "add the commas between the records; if these are JSON Lines, remove the `[` before them",
	value.UnclosedList:  "add the missing `]`",
}

// remedies are how to fix what a part of the detail names.
var remedies = []struct{ detail, help string }{
	{value.NotClosed, "close each `{` and `[` before the line ends"},
	{"U+001B", "write records without colors: set NO_COLOR=1, use jq -M, or print json.dumps(chunk) instead of rich.print(chunk)"},
	{"a trailing comma", "remove the comma"},
	{"found `,`, expected", "remove the comma"},
	{"found a string, expected a comma", "add the comma before it"},
	{"without quotes, expected a string", "write each name in double quotes; in JavaScript, JSON.stringify(chunk) does that"},
}

// texts matches what is in double quotes.
var texts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)"([^"\\]|\\.)*"?`) })

func isLetter(c rune) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
