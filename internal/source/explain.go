package source

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Limits of what a detail shows of the input, in bytes.
const (
	maxWord   = 64 // a word is taken to end here, however long it is
	maxQuoted = 40
)

const (
	notClosed     = "the record ends before it is closed"
	inputEnds     = "the input ends before the record is closed"
	pythonQuote   = "found `'`, expected a string in double quotes: this is a Python literal, not JSON"
	tooManyValues = "the record has more than 131,072 values"
)

func tooDeep(limit int) string {
	return fmt.Sprintf("arrays and objects are nested more than %d deep", limit)
}

// fail stops the scan. It returns false so that it can end a scan's function.
func (s *scanner) fail(f fault) bool {
	s.stop = &f
	return false
}

func (s *scanner) failAt(start, end int, detail string) bool {
	return s.fail(fault{kind: InvalidJSON, start: start, end: end, detail: detail})
}

// cutOff stops the scan because the data ends.
func (s *scanner) cutOff() bool {
	return s.fail(fault{kind: InvalidJSON, start: len(s.data), end: len(s.data), detail: notClosed, cutOff: true})
}

// unexpected stops the scan at a byte that cannot stand there.
func (s *scanner) unexpected(want string) bool {
	if s.pos == len(s.data) {
		return s.cutOff()
	}
	switch found := s.data[s.pos]; {
	case s.python && (found == '\'' || found == '"'):
		return s.failAt(s.pos, s.pos+1, "found a string, expected "+want)
	case found == '\'':
		return s.failAt(s.pos, s.pos+1, pythonQuote)
	}
	end, found := describe(s.data, s.pos)
	return s.failAt(s.pos, end, "found "+found+", expected "+want)
}

// unexpectedName stops the scan where a member's name should stand.
func (s *scanner) unexpectedName(first bool) bool {
	if s.pos < len(s.data) && isLetter(s.data[s.pos]) {
		end := wordEnd(s.data, s.pos)
		return s.failAt(s.pos, end, "found the name "+s.quote(s.pos, end)+" without quotes, expected a string in "+s.quotes())
	}
	if first {
		return s.unexpected("a name in " + s.quotes() + " or `}`")
	}
	return s.unexpected("a name in " + s.quotes())
}

// quotes says which quotes strings have.
func (s *scanner) quotes() string {
	if s.python {
		return "quotes"
	}
	return "double quotes"
}

// controlInText stops the scan at a control character inside a string.
func (s *scanner) controlInText() bool {
	c := s.data[s.pos]
	if c == '\n' || c == '\r' {
		return s.failAt(s.pos, s.pos, "found a line break inside a string, expected `\"` or `\\n`")
	}
	return s.failAt(s.pos, s.pos+1, fmt.Sprintf("found the control character U+%04X inside a string, expected it as `\\u%04x`", c, c))
}

// badEscape stops the scan at a backslash that no escape follows.
func (s *scanner) badEscape() bool {
	_, size := utf8.DecodeRune(s.data[s.pos+1:])
	end := s.pos + 1 + size
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", which is no JSON escape; a backslash is written `\\\\`")
}

func (s *scanner) badHex(digits int) bool {
	_, size := utf8.DecodeRune(s.data[s.pos+2+digits:])
	end := s.pos + 2 + digits + size
	return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", expected four hexadecimal digits after `\\u`")
}

func loneSurrogate(at int, escape []byte) fault {
	return fault{
		kind: LoneSurrogate, start: at, end: at + len(escape),
		detail: "found " + quote(escape) + ", half of a surrogate pair without its other half",
	}
}

func (s *scanner) quote(start, end int) string { return quote(s.data[start:end]) }

// quote shows bytes of the input in a detail.
func quote(text []byte) string {
	cut := ""
	if len(text) > maxQuoted {
		text = text[:runeStart(text, maxQuoted)]
		cut = "…"
	}
	shown := bytes.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, text)
	return "`" + string(shown) + cut + "`"
}

// wordEnd returns where the letters, digits, signs and points that stand at
// start end.
func wordEnd(data []byte, start int) int {
	i := start
	for i < min(len(data), start+maxWord) && isWordByte(data[i]) {
		i++
	}
	return i
}

func isWordByte(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '.' || c == '+' || c == '-'
}

// describe says what stands at data[i], and where it ends.
func describe(data []byte, i int) (end int, found string) {
	switch c := data[i]; {
	case c == '"':
		return i + 1, "a string"
	case c == '#', c == '/' && i+1 < len(data) && (data[i+1] == '/' || data[i+1] == '*'):
		return i + 1, "a comment (JSON has none)"
	case isDigit(c), isLetter(c):
		end := wordEnd(data, i)
		return end, quote(data[i:end])
	}
	return describeRune(data, i)
}

func describeRune(data []byte, i int) (end int, found string) {
	r, size := utf8.DecodeRune(data[i:])
	switch {
	case r == '\ufeff':
		return i + size, "a byte order mark (U+FEFF)"
	case r == '“' || r == '”' || r == '„':
		return i + size, quote(data[i:i+size]) + " (no JSON quote)"
	case !unicode.IsPrint(r):
		return i + size, fmt.Sprintf("the character U+%04X", r)
	}
	return i + size, quote(data[i : i+size])
}

// kindPhrase names a kind of value with its article.
func kindPhrase(k Kind) string {
	switch k {
	case Array, Object:
		return "an " + k.String()
	case Null:
		return "null"
	}
	return "a " + k.String()
}

// nameOutside is the fault of a name, ending at end, that stands where a
// record should begin.
func (r *Reader) nameOutside(end int) *fault {
	return &fault{
		kind: InvalidJSON, start: 0, end: end,
		detail: "found the name " + quote(r.in.rest()[:end]) + " outside an object, expected `{` before it",
	}
}
