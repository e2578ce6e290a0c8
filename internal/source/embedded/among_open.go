package embedded

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// openingWindow is within how many bytes an object among other text must show
// its first key.
const openingWindow = 1 << 10

// opensPython reports whether the first key of an object shows that it is a
// Python literal.
func opensPython(text []byte) bool { return source.FirstQuote(text) == '\'' }

// prefixSize returns how many bytes precede the first object of a line. It
// reports false if the line has no object. A list is not taken for one: what a
// log shows of a conversation on one line is not a record of it.
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
		if len(before) > 0 && before[len(before)-1] == '[' {
			return 0, false
		}
		if endsPrefix(line[:i]) {
			return i, true
		}
	}
	return 0, false
}

// passPrefix skips what precedes the first object of the line, and returns it.
// It reports false if the line has no object.
func passPrefix(in *input.Input) (prefix []byte, ok bool) {
	line := in.Load(maxLogPrefix + openingWindow)
	size, ok := prefixSize(line)
	in.Skip(size)
	return line[:size], ok
}

// torn finds an object that lacks its bracket or the first quote of its first
// key.
var brokenObjectStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{?\s*\w+["']\s*:|["']\w+["']\s*:`)
})

// lacksQuote finds an object at the start of a text that lacks the first quote.
var lacksQuote = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{[ \t]*\w+["']\s*:`)
})

// passTo skips to what an expression finds in the line, if that has no list in it.
func passTo(in *input.Input, expression *regexp.Regexp) bool {
	line := in.Load(maxLogPrefix)
	found := expression.FindIndex(line)
	if found == nil || bytes.Contains(line, []byte("[{")) {
		return false
	}
	in.Skip(found[0])
	return true
}

// endsPrefix reports whether an object may follow text on its line: not right
// behind a word, of which it would be a part, unless that ends an escape
// sequence of a terminal.
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

// isEscapeSequence reports whether text is one control sequence of a terminal:
// ESC, a bracket, parameters and a letter.
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
