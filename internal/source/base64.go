package source

import (
	"encoding/binary"
	"strings"
	"sync"
)

// base64Alphabet has the characters of base64 in the order of their values.
const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// longBase64 is how many characters of base64 a text begins with that is not
// thought to be anything else.
const longBase64 = 96

// looksBase64 reports whether the texts that come in the place of a text may be
// expected to be base64.
func looksBase64(text []byte) bool {
	if len(text) < longBase64 {
		return false
	}
	for _, c := range text[:longBase64] {
		if strings.IndexByte(base64Alphabet, c) < 0 {
			return false
		}
	}
	return true
}

// CountBase64 counts the characters of base64 that text begins with; padding is
// none.
func CountBase64(text []byte) (n int) {
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

func pair(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

// base64Pairs says of each two bytes whether they are anything but two
// characters of base64. Of the table only the few lines that stand for such are
// ever looked at, and these fit into the first cache of any processor.
var base64Pairs = sync.OnceValue(func() *[1 << 16]uint8 {
	var foreign [1 << 16]uint8
	for i := range foreign {
		foreign[i] = 1
	}
	for _, a := range []byte(base64Alphabet) {
		for _, b := range []byte(base64Alphabet) {
			foreign[uint16(a)<<8|uint16(b)] = 0
		}
	}
	return &foreign
})
