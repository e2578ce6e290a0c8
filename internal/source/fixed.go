package source

import (
	"bytes"
	"encoding/binary"

	"github.com/lmclint/lmclint/internal/source/value"
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
	var space, set [fixedWords * value.WordBytes]byte
	for i := range copy(space[:], text) {
		set[i] = 0xFF
	}
	for i := range f.words {
		f.words[i] = binary.LittleEndian.Uint64(space[i*value.WordBytes:])
		f.masks[i] = binary.LittleEndian.Uint64(set[i*value.WordBytes:])
	}
	return f
}

// isAt reports whether a text holds it at an offset.
func (f *needle) isAt(text []byte, from int) bool {
	if len(f.bytes) > fixedWords*value.WordBytes || len(text)-from < fixedWords*value.WordBytes {
		return bytes.HasPrefix(text[from:], f.bytes)
	}
	at := (*[fixedWords * value.WordBytes]byte)(text[from:])
	differs := (binary.LittleEndian.Uint64(at[:])^f.words[0])&f.masks[0] |
		(binary.LittleEndian.Uint64(at[value.WordBytes:])^f.words[1])&f.masks[1] |
		(binary.LittleEndian.Uint64(at[2*value.WordBytes:])^f.words[2])&f.masks[2] |
		(binary.LittleEndian.Uint64(at[3*value.WordBytes:])^f.words[3])&f.masks[3]
	return differs == 0
}

func (f *needle) equal(other *needle) bool { return bytes.Equal(f.bytes, other.bytes) }
