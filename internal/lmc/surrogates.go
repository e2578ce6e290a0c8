package lmc

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// joinSurrogates makes one code point of the two halves of a surrogate pair
// that stand side by side, in place. Two strings may hold one half each.
func joinSurrogates(text []byte) []byte {
	at := bytes.IndexByte(text, 0xed)
	if at < 0 {
		return text
	}
	joined := text[:at]
	for rest := text[at:]; len(rest) > 0; {
		high, size := decodeExact(rest)
		low, more := decodeExact(rest[size:])
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError && size == 3 && more == 3 {
			joined = utf8.AppendRune(joined, r)
			rest = rest[size+more:]
			continue
		}
		joined = append(joined, rest[:size]...)
		rest = rest[size:]
	}
	return joined
}

// holdHalf cuts the first half of a surrogate pair off the end of a text.
func holdHalf(text []byte) (rest, held []byte) {
	if len(text) < 3 {
		return text, nil
	}
	at := len(text) - 3
	if r, size := decodeExact(text[at:]); size == 3 && 0xd800 <= r && r < 0xdc00 {
		return text[:at], bytes.Clone(text[at:])
	}
	return text, nil
}
