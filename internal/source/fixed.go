package source

import (
	"bytes"
	"encoding/binary"
)

// fixed is a text that another one is looked at for. One that is short is
// looked at as words, whatever its length: nobody has to guess how long it is.
type needle struct {
	bytes []byte
	words [fixedWords]uint64 // its bytes, in order
	masks [fixedWords]uint64 // where they are
}

const fixedWords = 4

func newFixed(text []byte) needle {
	f := needle{bytes: text}
	var space, set [fixedWords * wordBytes]byte
	for i := range copy(space[:], text) {
		set[i] = 0xFF
	}
	for i := range f.words {
		f.words[i] = binary.LittleEndian.Uint64(space[i*wordBytes:])
		f.masks[i] = binary.LittleEndian.Uint64(set[i*wordBytes:])
	}
	return f
}

// isAt reports whether a text holds it at an offset.
func (f *needle) isAt(text []byte, from int) bool {
	if len(f.bytes) > fixedWords*wordBytes || len(text)-from < fixedWords*wordBytes {
		return bytes.HasPrefix(text[from:], f.bytes)
	}
	at := (*[fixedWords * wordBytes]byte)(text[from:])
	differs := (binary.LittleEndian.Uint64(at[:])^f.words[0])&f.masks[0] |
		(binary.LittleEndian.Uint64(at[wordBytes:])^f.words[1])&f.masks[1] |
		(binary.LittleEndian.Uint64(at[2*wordBytes:])^f.words[2])&f.masks[2] |
		(binary.LittleEndian.Uint64(at[3*wordBytes:])^f.words[3])&f.masks[3]
	return differs == 0
}

func (f *needle) equal(other *needle) bool { return bytes.Equal(f.bytes, other.bytes) }
