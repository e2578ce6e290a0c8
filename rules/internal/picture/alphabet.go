package picture

import (
	"encoding/binary"
	"strings"
)

// alphabet has the characters of base64 in the order of their values.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// isAlphabet reports whether a text consists of base64 characters.
func isAlphabet(text []byte) bool {
	var not uint64
	for ; len(text) >= 16; text = text[16:] {
		not |= notAlphabet(binary.LittleEndian.Uint64(text)) | notAlphabet(binary.LittleEndian.Uint64(text[8:]))
		if not != 0 {
			return false
		}
	}
	for _, c := range text {
		if strings.IndexByte(alphabet, c) < 0 {
			return false
		}
	}
	return true
}

// notAlphabet is 0 if eight bytes are all characters of base64.
func notAlphabet(w uint64) uint64 {
	letters := within(w|ones*0x20, 'a', 'z')
	others := within(w, '/', '9') | within(w, '+', '+')
	return (^(letters | others) | w) & highs
}

// Words of eight bytes of which each is 1, or has its highest bit set.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// within sets the highest bit of each of eight bytes that is from least to
// most. It is right about ASCII, and about all bytes before the first other one.
func within(w uint64, least, most byte) uint64 {
	w &^= highs
	return (w + ones*uint64(0x80-least)) &^ (w + ones*uint64(0x7F-most))
}
