package media

import (
	"encoding/binary"
	"sync"
)

// alphabet has the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// Characters that are looked at together for a byte of 0xFF.
const (
	quantum    = 4
	markedText = 4 * quantum
)

// countUnmarked counts the characters, in whole quanta, that a text begins with
// and that are base64 without any marker of a JPEG that ends its pixels. All
// markers begin with a byte of 0xFF; what follows it tells. Text begins with a
// whole quantum.
func countUnmarked(text []byte) (n int) {
	t := markTables()
	for len(text)-n >= markedText+quantum {
		b := (*[markedText]byte)(text[n:])
		marks := t.first[pair(b[0:])] + t.second[pair(b[2:])]
		marks |= t.first[pair(b[4:])] + t.second[pair(b[6:])]
		marks |= t.first[pair(b[8:])] + t.second[pair(b[10:])]
		marks |= t.first[pair(b[12:])] + t.second[pair(b[14:])]
		if marks&^halfMark != 0 && !t.isPixels(text[n:n+markedText+quantum]) {
			break
		}
		n += markedText
	}
	return n
}

// isPixels reports whether all quanta of a text but the last are base64 and
// each byte of 0xFF in them is followed by one that makes it no end of pixels.
func (t *markTable) isPixels(text []byte) bool {
	for ; len(text) > quantum; text = text[quantum:] {
		b := (*[2 * quantum]byte)(text)
		if (t.first[pair(b[0:])]+t.second[pair(b[2:])])&^halfMark == 0 {
			continue
		}
		v := &t.values
		high := uint32(v[b[0]])<<18 | uint32(v[b[1]])<<12 | uint32(v[b[2]])<<6 | uint32(v[b[3]])
		next := v[b[4]]<<2 | v[b[5]]>>4
		if (v[b[0]]|v[b[1]]|v[b[2]]|v[b[3]]|v[b[4]]|v[b[5]])&foreign != 0 ||
			!isPixel(byte(high>>16), byte(high>>8)) || !isPixel(byte(high>>8), byte(high)) || !isPixel(byte(high), next) {
			return false
		}
	}
	return true
}

// isPixel reports whether a byte and the one behind it end no pixels.
func isPixel(c, next byte) bool {
	return c != 0xFF || next == 0 || next >= markerRST0 && next <= markerRST7
}

// countBase64 counts the characters of base64 that text begins with; padding is
// not counted.
func countBase64(text []byte) (n int) {
	foreign := base64Pairs()
	for len(text)-n >= 32 {
		b := (*[32]byte)(text[n:])
		bad := foreign[pair(b[0:])] | foreign[pair(b[2:])] | foreign[pair(b[4:])] | foreign[pair(b[6:])]
		bad |= foreign[pair(b[8:])] | foreign[pair(b[10:])] | foreign[pair(b[12:])] | foreign[pair(b[14:])]
		bad |= foreign[pair(b[16:])] | foreign[pair(b[18:])] | foreign[pair(b[20:])] | foreign[pair(b[22:])]
		bad |= foreign[pair(b[24:])] | foreign[pair(b[26:])] | foreign[pair(b[28:])] | foreign[pair(b[30:])]
		if bad != 0 {
			break
		}
		n += 32
	}
	for n < len(text) && foreign[uint16(text[n])<<8|'A'] == 0 {
		n++
	}
	return n
}

// base64Pairs is 0 for each two bytes that are two characters of base64, else 1.
// Only the few cache lines of such pairs are read, which fit into the first
// cache of any processor.
var base64Pairs = sync.OnceValue(func() *[1 << 16]uint8 {
	var foreign [1 << 16]uint8
	for i := range foreign {
		foreign[i] = 1
	}
	for _, a := range []byte(alphabet) {
		for _, b := range []byte(alphabet) {
			foreign[uint16(a)<<8|uint16(b)] = 0
		}
	}
	return &foreign
})

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
	for i := range t.values {
		t.values[i] = foreign
	}
	for high := range len(alphabet) {
		t.values[alphabet[high]] = uint8(high)
		for low := range len(alphabet) {
			at := uint16(alphabet[low])<<8 | uint16(alphabet[high])
			bits := high<<6 | low
			t.first[at] = marksOf(bits>>4, bits&0xF)
			t.second[at] = marksOf(bits&0xFF, bits>>8)
		}
	}
	return &t
})

type markTable struct {
	first, second [1 << 16]uint8
	values        [256]uint8 // of characters, or foreign
}

// foreign is the value of what is no character of base64.
const foreign = 1 << 6

func marksOf(whole, half int) (marks uint8) {
	if whole == 0xFF {
		marks += mark
	}
	if half == 0xF {
		marks += halfMark
	}
	return marks
}
