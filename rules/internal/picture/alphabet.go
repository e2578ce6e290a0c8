package picture

import (
	"encoding/binary"
	"sync"
)

// alphabet has the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// markedText is how many characters are looked at together for a byte of 0xFF.
const markedText = 16

// countUnmarked counts the characters, in steps of markedText, that a text
// begins with and that are base64 without a byte of 0xFF, with which all
// markers of a JPEG begin. Text begins with a whole quantum.
func countUnmarked(text []byte) (n int) {
	t := markTables()
	for ; n+markedText <= len(text); n += markedText {
		b := text[n : n+markedText]
		marks := t.first[pair(b)] + t.second[pair(b[2:])]
		marks |= t.first[pair(b[4:])] + t.second[pair(b[6:])]
		marks |= t.first[pair(b[8:])] + t.second[pair(b[10:])]
		marks |= t.first[pair(b[12:])] + t.second[pair(b[14:])]
		if marks&^halfMark != 0 {
			break
		}
	}
	return n
}

func pair(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

// Two characters of a quantum, the first two or the last two, may hold a byte
// of 0xFF, or half of the one between them. Two halves add up to a mark.
const (
	halfMark = 1
	mark     = 2
)

// markTables say what any two bytes hold that are the first or second half of a
// quantum. What is no base64 is marked as well, to be looked at.
var markTables = sync.OnceValue(func() *markTable {
	var t markTable
	for i := range t.first {
		t.first[i], t.second[i] = mark, mark
	}
	for high := range len(alphabet) {
		for low := range len(alphabet) {
			at := uint16(alphabet[low])<<8 | uint16(alphabet[high])
			bits := high<<6 | low
			t.first[at] = marksOf(bits>>4, bits&0xF)
			t.second[at] = marksOf(bits&0xFF, bits>>8)
		}
	}
	return &t
})

type markTable struct{ first, second [1 << 16]uint8 }

func marksOf(whole, half int) (marks uint8) {
	if whole == 0xFF {
		marks += mark
	}
	if half == 0xF {
		marks += halfMark
	}
	return marks
}
