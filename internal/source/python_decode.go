package source

import (
	"unicode/utf16"
	"unicode/utf8"
)

// hexDigits returns how many hexadecimal digits the escape of that letter has,
// or 0 if it has none.
func hexDigits(letter byte) int {
	switch letter {
	case 'x':
		return 2
	case 'u':
		return 4
	case 'U':
		return 8
	}
	return 0
}

// hexValue is the value of up to eight hexadecimal digits.
func hexValue(digits []byte) (v uint32) {
	for _, c := range digits {
		if isDigit(c) {
			v = v<<4 | uint32(c-'0')
		} else {
			v = v<<4 | uint32(c|0x20-'a'+10)
		}
	}
	return v
}

// decodePython decodes the escape that text begins with, which must be sound.
// A backslash that begins none stands for itself.
func decodePython(text []byte) (r rune, size int) {
	if len(text) < 2 {
		return '\\', 1
	}
	if digits := hexDigits(text[1]); digits > 0 {
		return rune(hexValue(text[2 : 2+digits])), 2 + digits
	}
	switch c := text[1]; c {
	case '\'', '"', '\\':
		return rune(c), 2
	case 'b', 'f', 'n', 'r', 't':
		return decodeEscape(text) // as in JSON
	case 'a':
		return '\a', 2
	case 'v':
		return '\v', 2
	}
	return decodeOctal(text)
}

// decodeOctal decodes up to three octal digits behind a backslash.
func decodeOctal(text []byte) (r rune, size int) {
	for size = 1; size < min(4, len(text)) && '0' <= text[size] && text[size] <= '7'; size++ {
		r = r<<3 | rune(text[size]-'0')
	}
	if size == 1 {
		return '\\', 1
	}
	return r, size
}

// insideLiteral returns what stands between the quotes of a string.
func insideLiteral(literal []byte) []byte {
	return literal[prefixSize(literal)+1 : len(literal)-1]
}

// appendPython appends the text of a string with its prefix and quotes to buf.
// Exact is as in appendText.
func appendPython(buf, literal []byte, exact bool) []byte {
	inside := insideLiteral(literal)
	if isRaw(literal) {
		return append(buf, inside...)
	}
	return appendText(buf, inside, exact, decodePython)
}

// appendRune appends a code point to buf, a surrogate as U+FFFD unless it is
// to keep its value.
func appendRune(buf []byte, r rune, exact bool) []byte {
	if exact && utf16.IsSurrogate(r) {
		return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(buf, r)
}
