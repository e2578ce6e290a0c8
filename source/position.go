package source

// Position is a place in the decompressed input.
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
	for _, b := range text {
		switch {
		case b == '\n':
			p.Line++
			p.Column = 1
		case b&0xC0 != 0x80:
			p.Column++
		}
	}
	p.Offset += int64(len(text))
	return p
}
