package media

import (
	"encoding/binary"
	"sync"
)

// alphabet is the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// quantum is how many characters encode three bytes.
const quantum = 4

// countBase64 returns the number of base64 characters, without padding, that a
// text starts with.
func countBase64(text []byte) (n int) {
	first := &pairTables().first
	for len(text)-n >= 32 {
		b := (*[32]byte)(text[n:])
		bits := first[pair(b[0:])] | first[pair(b[2:])] | first[pair(b[4:])] | first[pair(b[6:])]
		bits |= first[pair(b[8:])] | first[pair(b[10:])] | first[pair(b[12:])] | first[pair(b[14:])]
		bits |= first[pair(b[16:])] | first[pair(b[18:])] | first[pair(b[20:])] | first[pair(b[22:])]
		bits |= first[pair(b[24:])] | first[pair(b[26:])] | first[pair(b[28:])] | first[pair(b[30:])]
		if bits&foreignPair != 0 {
			break
		}
		n += 32
	}
	for n < len(text) && first[uint16(text[n])<<8|'A']&foreignPair == 0 {
		n++
	}
	return n
}

// countScan returns the number of characters, in whole quanta, that a text
// starts with and that are base64 of the entropy-coded data of a JPEG: every
// byte of 0xFF in them is followed by one that does not end the data. The text
// must start with a whole quantum.
func countScan(text []byte) (n int) {
	const step = 4 * quantum
	t := pairTables()
	for len(text)-n >= step+quantum {
		b := (*[step]byte)(text[n:])
		marks := t.first[pair(b[0:])] + t.second[pair(b[2:])]
		marks |= t.first[pair(b[4:])] + t.second[pair(b[6:])]
		marks |= t.first[pair(b[8:])] + t.second[pair(b[10:])]
		marks |= t.first[pair(b[12:])] + t.second[pair(b[14:])]
		if marks&^halfMark != 0 && !t.isScan(text[n:n+step+quantum]) {
			break
		}
		n += step
	}
	return n
}

// isScan reports whether all quanta of a text but the last are base64 of
// entropy-coded data.
func (t *pairTable) isScan(text []byte) bool {
	for ; len(text) > quantum; text = text[quantum:] {
		b := (*[2 * quantum]byte)(text)
		if (t.first[pair(b[0:])]+t.second[pair(b[2:])])&^halfMark == 0 {
			continue
		}
		v := &t.values
		bits := uint32(v[b[0]])<<18 | uint32(v[b[1]])<<12 | uint32(v[b[2]])<<6 | uint32(v[b[3]])
		next := v[b[4]]<<2 | v[b[5]]>>4
		if (v[b[0]]|v[b[1]]|v[b[2]]|v[b[3]]|v[b[4]]|v[b[5]])&foreign != 0 ||
			!isScanPair(byte(bits>>16), byte(bits>>8)) || !isScanPair(byte(bits>>8), byte(bits)) || !isScanPair(byte(bits), next) {
			return false
		}
	}
	return true
}

// isScanPair reports whether a byte and the next one do not end entropy-coded
// data.
func isScanPair(c, next byte) bool {
	return c != 0xFF || next == 0 || next >= markerRST0 && next <= markerRST7
}

// pairTable describes every pair of bytes as the first or the second half of a
// quantum. A pair may encode a byte of 0xFF, which is a mark, or half of the
// middle byte of the quantum: two half marks add up to a mark. The tables are
// large, but for base64 only a few cache lines of them are read.
type pairTable struct {
	first, second [1 << 16]uint8
	values        [256]uint8 // of characters, or foreign
}

const (
	halfMark    = 1
	mark        = 2
	foreignPair = 4      // not two characters of base64; with a mark, so that it is examined
	foreign     = 1 << 6 // value of what is not a character of base64
)

var pairTables = sync.OnceValue(func() *pairTable {
	var t pairTable
	for i := range t.first {
		t.first[i], t.second[i] = mark|foreignPair, mark|foreignPair
	}
	for i := range t.values {
		t.values[i] = foreign
	}
	for high := range len(alphabet) {
		t.values[alphabet[high]] = uint8(high)
		for low := range len(alphabet) {
			at := uint16(alphabet[low])<<8 | uint16(alphabet[high])
			bits := high<<6 | low
			t.first[at] = marks(bits>>4, bits&0xF)
			t.second[at] = marks(bits&0xFF, bits>>8)
		}
	}
	return &t
})

// marks returns the marks of a pair that encodes a byte and four bits of another
// one.
func marks(whole, half int) (marks uint8) {
	if whole == 0xFF {
		marks += mark
	}
	if half == 0xF {
		marks += halfMark
	}
	return marks
}

func pair(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
