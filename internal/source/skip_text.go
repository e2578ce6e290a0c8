package source

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Plain reports whether the value is a string without anything that a terminal
// may obey: no control character, raw or as an escape other than those for
// white space, and no half of a surrogate pair.
func (n *Node) Plain() bool {
	switch {
	case n.Kind != String:
		return false
	case n.plain:
		return true
	case n.python:
		return !strings.ContainsFunc(n.Text(), isTerminalControl)
	}
	end, _, _, ok := skipText(n.raw, 1)
	return ok && end == len(n.raw)-1
}

// isTerminalControl reports whether a terminal may take a character for the
// beginning of a command: ESC, or a control character of the second kind.
func isTerminalControl(c rune) bool { return c == 0x1B || c >= 0x7F && c < 0xA0 }

// skipText finds the closing quote of a string from behind its opening one. It
// reports false for a string that is not sound, or that holds characters that
// a terminal may obey; and for one that text ends within, where the end is that
// of text. Wide says that it may hold characters beyond ASCII.
func skipText(text []byte, i int) (end int, escaped, wide, ok bool) {
	end, wide = skipPlain(text, i)
	if end < len(text) && text[end] == '\\' {
		var high bool
		escaped = true
		end, high = skipEscaped(text, end)
		wide = wide || high
	}
	return closed(text, i, end, escaped, wide)
}

// skipLongText is skipText for a string that is expected to be long.
func skipLongText(text []byte, i int) (end int, escaped, wide, ok bool) {
	end, escaped, wide = skipSets(text, i)
	return closed(text, i, end, escaped, wide)
}

// closed says what skipText does of a string that was moved over up to end.
func closed(text []byte, i, end int, escaped, wide bool) (int, bool, bool, bool) {
	switch {
	case end == len(text):
		return end, false, false, false
	case end < 0 || text[end] != '"':
		return 0, false, false, false
	}
	return end, escaped, wide, !wide || utf8.Valid(text[i:end]) && !hasC1(text[i:end])
}

// endsInside reports whether text ends in the string that goes on at i, or
// less than so many bytes behind it.
func endsInside(text []byte, i, behind int) bool {
	for {
		i, _ = skipPlain(text, i)
		switch {
		case i >= len(text):
			return true
		case text[i] == '"':
			return i+behind > len(text)
		case text[i] < ' ':
			return false
		}
		if i += 2; i > len(text) {
			return true
		}
	}
}

// hasC1 reports whether text holds a control character of the second kind
// (U+0080 to U+009F), which terminals obey as they do escapes.
func hasC1(text []byte) bool {
	for {
		i := bytes.IndexByte(text, 0xC2)
		if i < 0 || i+1 >= len(text) {
			return false
		}
		if text[i+1] < 0xA0 {
			return true
		}
		text = text[i+1:]
	}
}
