package report

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// appendString appends a JSON string. HTML is left as it is. Characters that
// would do something to a terminal are written as escapes, which say the same
// to a program; a byte that is no UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for len(s) > 0 {
		if n := countPlain(s); n > 0 {
			b, s = append(b, s[:n]...), s[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if r >= utf8.RuneSelf && !hidden(r) && (r != utf8.RuneError || size > 1) {
			b = append(b, s[:size]...)
		} else {
			b = value.AppendEscape(b, r)
		}
		s = s[size:]
	}
	return append(b, '"')
}

// countPlain returns how many bytes s begins with that stand for themselves
// in JSON and on a terminal.
func countPlain(s string) int {
	i := 0
	for ; len(s)-i >= wordBytes; i += wordBytes {
		if hasOdd(binary.LittleEndian.Uint64([]byte(s[i : i+wordBytes]))) {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; !isPrintable(c) || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

// Bytes side by side in a word.
const (
	wordBytes = 8
	ones      = 0x0101010101010101
	highs     = 0x80 * ones
)

// hasOdd reports whether one of eight bytes does not stand for itself: a quote,
// a backslash, or what is not printable ASCII.
func hasOdd(w uint64) bool {
	quote, backslash := w^'"'*ones, w^'\\'*ones
	odd := (w - ' '*ones) | (w + ones) | (quote - ones) | (backslash - ones) // a high bit where a byte is odd
	return (odd|w)&highs != 0
}
