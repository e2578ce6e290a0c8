package sample

import "unicode/utf16"

const hex = "0123456789abcdef"

// appendString writes s as json.dumps does, with or without ensure_ascii.
func appendString(dst []byte, s string, raw bool) []byte {
	dst = append(dst, '"')
	plain := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' && (raw || c < 0x7f) {
			continue
		}
		dst = append(dst, s[plain:i]...)
		dst = appendEscape(dst, c)
		plain = i + len(string(c))
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c rune) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', byte(c))
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	if high, low := utf16.EncodeRune(c); high != 0xfffd {
		return appendUnit(appendUnit(dst, high), low)
	}
	return appendUnit(dst, c)
}

func appendUnit(dst []byte, c rune) []byte {
	return append(dst, '\\', 'u', hex[c>>12&15], hex[c>>8&15], hex[c>>4&15], hex[c&15])
}
