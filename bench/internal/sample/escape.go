package sample

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// appendString writes s as json.dumps does, with or without ensure_ascii.
func appendString(dst []byte, s string, raw bool) []byte {
	dst = append(dst, '"')
	plain := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' && (raw || c < 0x7f) {
			continue
		}
		dst = append(dst, s[plain:i]...)
		dst = value.AppendEscape(dst, c)
		plain = i + len(string(c))
	}
	dst = append(dst, s[plain:]...)
	return append(dst, '"')
}
