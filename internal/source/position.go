package source

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

// Span is a stretch of the input. End is the position behind its last byte.
type Span struct {
	Start, End Position
}

// advance moves the position over text, which stands at it. A byte that is no
// UTF-8 counts as one code point.
func (p Position) advance(text []byte) Position {
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

// along moves the position over so many bytes that are known to be ASCII on one
// line.
func (p Position) along(n int) Position {
	p.Offset += int64(n)
	p.Column += n
	return p
}

// countASCII counts bytes that text begins with and that are ASCII, in whole
// blocks: most texts are nothing else.
func countASCII(text []byte) (n int) {
	for ; n+blockBytes <= len(text); n += blockBytes {
		block := text[n : n+blockBytes]
		high := binary.LittleEndian.Uint64(block) | binary.LittleEndian.Uint64(block[wordBytes:])
		high |= binary.LittleEndian.Uint64(block[2*wordBytes:]) | binary.LittleEndian.Uint64(block[3*wordBytes:])
		if high&highs != 0 {
			break
		}
	}
	return n
}
