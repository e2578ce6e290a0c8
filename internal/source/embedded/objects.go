package embedded

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// openingWindow is how many bytes of an embedded object may precede its first
// key.
const openingWindow = 1 << 10

// opensPython reports whether the first key of an object, or of the first object
// of a list, is in single quotes, as in a Python literal.
func opensPython(text []byte) bool {
	return source.FirstQuote(bytes.TrimLeft(text, "[ \t")) == '\''
}

// loadKey returns the unread text up to the first key of the object or list that
// begins there, or more of it, but at most openingWindow bytes. It waits for no more
// than the key.
func loadKey(in *input.Input) []byte {
	for {
		text := in.Rest()
		text = text[:min(len(text), openingWindow)]
		if showsKey(text) || len(text) == openingWindow || !in.More() {
			return text
		}
	}
}

// showsKey reports whether text contains what follows the brace that it begins with,
// apart from spaces and comments, or begins with something else.
func showsKey(text []byte) bool {
	text = bytes.TrimLeft(text, "[ \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return len(text) > 0
	}
	text = text[1:]
	for {
		text = text[value.SpaceSize(text):]
		if !value.BeginsComment(text) {
			return len(text) > 0 && string(text) != "/"
		}
		text = text[value.CommentSize(text):]
	}
}

// prefixSize returns the size in bytes of the text before the first object or
// list of objects of a line, or false if there is none.
func prefixSize(line []byte) (size int, ok bool) {
	for i := 0; i < min(len(line), maxLogPrefix); i++ {
		next := bytes.IndexByte(line[i:], '{')
		if next < 0 {
			return 0, false
		}
		i += next
		if !source.OpensObject(line[i:]) {
			continue
		}
		before := value.TrimRight(line[:i])
		start := i
		if len(before) > 0 && before[len(before)-1] == '[' {
			start = len(before) - 1
		}
		if endsPrefix(line[:start]) {
			if contentOfOther().Match(line[:start+1]) && !namesRole(string(line[start:])) {
				return 0, false
			}
			return start, true
		}
	}
	return 0, false
}

// contentOfOther matches the object that is the content of a record which a log
// prints in another notation, such as that of a class of Python:
//
//	Chunk(role='computer', type='confirmation', content={'type': 'code', 'content': 'ls'})
var contentOfOther = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w"'.])content(?:=|: ?)\{`)
})

// skipPrefix skips the text before the first object of the line, and returns
// it. It returns false if the line has no object.
func skipPrefix(in *input.Input) (prefix []byte, ok bool) {
	line := in.Load(maxLogPrefix + openingWindow)
	size, ok := prefixSize(line)
	in.Skip(size)
	return line[:size], ok
}

// brokenObjectStart matches an object that lacks its opening brace or the first
// quote of its first key, or both quotes, if that is the role.
var brokenObjectStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{?\s*\w+["']\s*:|\{role:\s?"|["']\w+["']\s*:`)
})

// lacksQuote matches an object that lacks the first quote of its first key.
var lacksQuote = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{[ \t]*\w+["']\s*:`)
})

// memberOn returns the value of a line that is one member of an object which an
// earlier line opened, or nil.
func memberOn(line []byte) json.RawMessage {
	line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte{','})
	var member map[string]json.RawMessage
	if json.Unmarshal(slices.Concat([]byte{'{'}, line, []byte{'}'}), &member) != nil {
		return nil
	}
	for _, text := range member {
		return text
	}
	return nil
}

// skipTo skips to the first match in the line, unless the line contains a list
// of objects.
func skipTo(in *input.Input, expression *regexp.Regexp) bool {
	line := in.Load(maxLogPrefix)
	found := expression.FindIndex(line)
	if found == nil || bytes.Contains(line, []byte("[{")) || contentOfOther().Match(line) {
		return false
	}
	in.Skip(found[0])
	return true
}

// endsPrefix reports whether an object may follow text on its line: not
// directly after a word, unless that ends a terminal escape sequence.
func endsPrefix(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	switch c := text[len(text)-1]; {
	case c == '\\', c == '$', c == '%':
		return false
	case !value.IsLetter(c) && !value.IsDigit(c):
		return true
	}
	escape := bytes.LastIndexByte(text, '\x1b')
	return escape >= 0 && len(text)-escape > 2 && isEscapeSequence(text[escape:])
}

// isEscapeSequence reports whether text is one terminal control sequence: ESC,
// a bracket, parameters and a letter.
func isEscapeSequence(text []byte) bool {
	if len(text) < 3 || text[1] != '[' {
		return false
	}
	for _, c := range text[2 : len(text)-1] {
		if !value.IsDigit(c) && c != ';' && c != ':' && c != '?' {
			return false
		}
	}
	return value.IsLetter(text[len(text)-1])
}

// placeholder matches a string that names what to insert: "<role>".
var placeholder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`["']<[A-Za-z][\w .-]*>["']`)
})

// ofTemplate matches a comment that says what else may be the value on its line.
var ofTemplate = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)(?://|#)[^"'\n]*\b(?:or|optional|e\.g\.|one of)[ ,:)][^"\n]*$|(?://|#)[ \t]*optional[ \t]*$`)
})

// isTemplate reports whether an object has such a comment.
func isTemplate(object []byte) bool {
	return bytes.IndexByte(object, '\n') >= 0 && ofTemplate().Match(object)
}

// isCode reports whether an invalid object at the start of the unread input is
// program code or a template rather than a broken record: its fault is at an
// expression or an ellipsis, or most of its values are placeholders. In a log
// that has times or levels it accepts only ellipses and printed objects such as `<Message at 0x7f>`.
func (a *embeddedReader) isCode(stop *value.Fault) bool {
	if stop.Truncated || stop.ExceedsLimit() || stop.Kind != value.InvalidJSON {
		return false
	}
	data := a.cur.In.Load(stop.Start + source.SettledBytes)
	if stop.Start >= len(data) || stop.Start == 0 {
		return false
	}
	before, found := data[:stop.Start], data[stop.Start:]
	switch c := found[0]; {
	case c == '<', c == '.' && bytes.HasPrefix(found, []byte("...")), bytes.HasPrefix(found, []byte("…")):
		return true
	case a.isLog && !a.mayBeProgram:
		return false
	case strings.IndexByte(".*+(`%$/|?", c) >= 0:
		return true
	case value.IsLetter(c):
		return isExpression(before, found)
	}
	return len(placeholder().FindAll(before, 2)) == 2
}

// isExpression reports whether a word at the place of a value is a name of a
// program, not a misspelled literal.
func isExpression(before, found []byte) bool {
	before = value.TrimRight(before)
	switch before[len(before)-1] {
	case ':', ',', '[', '(', '{':
	default:
		return false
	}
	end := value.WordEnd(found, 0)
	if after := found[end+value.SpaceSize(found[end:]):]; len(after) > 0 && (after[0] == '"' || after[0] == '\'') && value.PythonPrefixSize(found) != end {
		return false // a quote is in the wrong place
	}
	word := strings.ToLower(string(found[:end]))
	for _, literal := range []string{"true", "false", "null", "none", "nan", "infinity"} {
		if isMisspelling(word, literal) {
			return false
		}
	}
	return true
}

// isMisspelling reports whether a word is a literal, perhaps with one letter
// wrong, missing or added, or two adjacent letters swapped.
func isMisspelling(word, literal string) bool {
	start := 0
	for start < min(len(word), len(literal)) && word[start] == literal[start] {
		start++
	}
	a, b := word[start:], literal[start:]
	switch {
	case len(a) == len(b) && len(a) > 1 && a[0] == b[1] && a[1] == b[0]:
		return a[2:] == b[2:]
	case len(a) == len(b):
		return len(a) < 2 || a[1:] == b[1:]
	case len(a) == len(b)+1:
		return a[1:] == b
	case len(b) == len(a)+1:
		return b[1:] == a
	}
	return false
}
