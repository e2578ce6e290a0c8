// Package wtf8 handles text in UTF-8 in which lone surrogates are encoded like
// other code points (WTF-8). JSON strings written by Python may contain them.
package wtf8

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// DecodeRune returns the first code point of text, which may be a surrogate,
// and its size in bytes. It is [utf8.DecodeRune] otherwise.
func DecodeRune(text []byte) (r rune, size int) {
	r, size = utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 && len(text) >= 3 && text[0] == 0xed && text[1]&0xe0 == 0xa0 && text[2]&0xc0 == 0x80 {
		return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f), 3
	}
	return r, size
}

// JoinSurrogates replaces each adjacent surrogate pair with its code point, in
// place. The halves may have come from two strings.
func JoinSurrogates(text []byte) []byte {
	at := bytes.IndexByte(text, 0xed)
	if at < 0 {
		return text
	}
	joined := text[:at]
	for rest := text[at:]; len(rest) > 0; {
		high, size := DecodeRune(rest)
		low, more := DecodeRune(rest[size:])
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

// CutHighSurrogate splits text before a high surrogate at its end. The low one
// may begin the next piece of the text. The half is a copy.
func CutHighSurrogate(text []byte) (before, half []byte) {
	if len(text) < 3 {
		return text, nil
	}
	at := len(text) - 3
	if r, size := DecodeRune(text[at:]); size == 3 && 0xd800 <= r && r < 0xdc00 {
		return text[:at], bytes.Clone(text[at:])
	}
	return text, nil
}

// Tail returns the last n code points of text, or all of it. A surrogate
// counts as one code point.
func Tail(text []byte, n int) []byte {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		at--
		for at > 0 && !utf8.RuneStart(text[at]) {
			at--
		}
	}
	return text[at:]
}
