package value

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Position is a position in the decompressed input. A byte order mark counts as
// a code point.
type Position struct {
	Offset int64 // bytes from the start of the input, from 0
	Line   int   // lines from 1; a line ends at a line feed
	Column int   // code points from 1
}

// Span is a range of the input. End is the position after its last byte.
type Span struct {
	Start, End Position
}

// Advance returns the position after text, which starts at p. An invalid UTF-8
// byte counts as one code point.
func (p Position) Advance(text []byte) Position {
	p.Offset += int64(len(text))
	if lines := bytes.Count(text, []byte{'\n'}); lines > 0 {
		p.Line += lines
		p.Column = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	ascii := countASCII(text)
	p.Column += ascii + utf8.RuneCount(text[ascii:])
	return p
}

// AdvanceASCII returns the position after n bytes, which must be ASCII without
// a line feed.
func (p Position) AdvanceASCII(n int) Position {
	p.Offset += int64(n)
	p.Column += n
	return p
}

// PartialRune returns the index of a UTF-8 sequence that the end of text
// truncates, or the length of text.
func PartialRune(text []byte) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// RuneStart returns the last index, at most i, at which a code point starts.
func RuneStart(text []byte, i int) int {
	if i >= len(text) {
		return len(text)
	}
	for back := 0; back < utf8.UTFMax && i >= back; back++ {
		if utf8.RuneStart(text[i-back]) {
			return i - back
		}
	}
	return i
}

// SpaceSize returns the size of the JSON whitespace at the start of text, in
// bytes.
func SpaceSize(text []byte) int {
	for i, c := range text {
		if c > ' ' || !IsSpace(c) {
			return i
		}
	}
	return len(text)
}

// IsSpace reports whether c is JSON whitespace.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// TrimRight returns text without JSON whitespace at its end.
func TrimRight(text []byte) []byte {
	n := len(text)
	for n > 0 && text[n-1] <= ' ' && IsSpace(text[n-1]) {
		n--
	}
	return text[:n]
}

// countASCII returns a multiple of eight: how many bytes at the start of text
// are certainly ASCII. Most texts are all ASCII, and [utf8.RuneCount] is ten
// times slower.
func countASCII(text []byte) (n int) {
	for ; n+wordBytes <= len(text); n += wordBytes {
		if binary.LittleEndian.Uint64(text[n:])&highs != 0 {
			break
		}
	}
	return n
}

// WholeLines returns the size of the lines of a text that end at or directly
// after its first n bytes, but for blanks: 0 if the last of them continues.
func WholeLines(text []byte, n int) int {
	blank := SpaceSize(text[n:])
	if i := bytes.LastIndexAny(text[n:n+blank], "\r\n"); i >= 0 {
		return n + i + 1
	}
	if n > 0 && text[n-1] != '\n' && text[n-1] != '\r' { // which ends a line of an event stream
		return 0
	}
	return n
}
