package value

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// Position is a place in the decompressed input. A byte order mark counts as
// a code point like any other.
type Position struct {
	Offset int64 // bytes from the start of the input, from 0
	Line   int   // lines from 1; a line ends at a line feed
	Column int   // code points from 1
}

// Span is a part of the input. End is the position after its last byte.
type Span struct {
	Start, End Position
}

// Advance moves the position over text, which is at it. A byte that is no
// UTF-8 counts as one code point.
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

// Along moves the position over that many bytes that are known to be ASCII on one
// line.
func (p Position) Along(n int) Position {
	p.Offset += int64(n)
	p.Column += n
	return p
}

// PartialRune returns the index of a UTF-8 sequence that the end of text cuts
// off, or the length of text.
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

// CommentSize returns how many bytes of a comment, which text begins with,
// are before its line feed.
func CommentSize(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// RuneStart returns the last index, at most i, where a code point begins.
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

// SpaceSize returns how many bytes of JSON whitespace text begins with.
func SpaceSize(text []byte) int {
	for i, c := range text {
		if !IsSpace(c) {
			return i
		}
	}
	return len(text)
}

// IsSpace reports whether c is JSON whitespace.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// TrimRight returns text without the whitespace at its end.
func TrimRight(text []byte) []byte {
	n := len(text)
	for n > 0 && IsSpace(text[n-1]) {
		n--
	}
	return text[:n]
}

// countASCII returns how many bytes at the start of text are ASCII, as a multiple
// of eight: most texts are nothing else, and [utf8.RuneCount] is ten times slower.
func countASCII(text []byte) (n int) {
	for ; n+wordBytes <= len(text); n += wordBytes {
		if binary.LittleEndian.Uint64(text[n:])&highs != 0 {
			break
		}
	}
	return n
}
