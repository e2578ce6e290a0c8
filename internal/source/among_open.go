package source

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source/value"
)

// openingWindow is within how many bytes an object among other text must show
// its first key.
const openingWindow = 1 << 10

// opensObject reports whether text begins with an object that has a key in
// quotes. On a page white space, line feeds and comments may stand before it.
func opensObject(text []byte) bool { return firstQuote(text) != 0 }

// opensPython reports whether the first key of an object shows that it is a
// Python literal.
func opensPython(text []byte) bool { return firstQuote(text) == '\'' }

// firstQuote returns the quote of an object's first key, or 0.
func firstQuote(text []byte) byte {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	at := 1
	for {
		at += value.SpaceSize(text[at:])
		if at == len(text) || text[at] != '#' {
			break
		}
		at += value.CommentSize(text[at:])
	}
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		return text[at]
	}
	return 0
}

// passPrefix skips what stands before the next object of the line, and returns
// it. It reports false if there is no object. A list is none: what a log shows
// of a conversation in one line is no record of it.
func (in *input) passPrefix() (prefix []byte, ok bool) {
	line := in.load(maxLogPrefix + openingWindow)
	for i := 0; i < min(len(line), maxLogPrefix); i++ {
		next := bytes.IndexByte(line[i:], '{')
		if next < 0 {
			return nil, false
		}
		i += next
		if !opensObject(line[i:]) {
			continue
		}
		before := value.TrimRight(line[:i])
		if len(before) > 0 && before[len(before)-1] == '[' {
			return nil, false
		}
		if endsPrefix(line[:i]) {
			in.skip(i)
			return line[:i], true
		}
	}
	return nil, false
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
func (in *input) passTo(expression *regexp.Regexp) bool {
	line := in.load(maxLogPrefix)
	found := expression.FindIndex(line)
	if found == nil || bytes.Contains(line, []byte("[{")) {
		return false
	}
	in.skip(found[0])
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
