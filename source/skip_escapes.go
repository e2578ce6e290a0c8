package source

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
)

// unitSize is how many bytes an escape of a code unit has, such as \u0416.
const unitSize = len(`\u0000`)

// skipEscaped is skipPlain for a string with escapes, which it moves over, too.
// It returns -1 at one that is none, or that stands for a control character or
// half a surrogate pair. Most such strings are short: sets are worth their while
// for what is behind the first bytes.
func skipEscaped(text []byte, i int) (next int, wide bool) {
	i, wide, more := skipSingly(text, i, i+setBytes)
	if !more {
		return i, wide
	}
	next, high := skipSets(text, i)
	return next, wide || high
}

// skipSets is skipEscaped for many bytes at a time.
func skipSets(text []byte, i int) (next int, wide bool) {
	var high uint64
	for i+setBytes+unitSize <= len(text) {
		from := i
		set, seen := specials(text[from:])
		high |= seen
		for i += setBytes; set != 0; {
			at := from + bits.TrailingZeros64(set)
			switch c := text[at]; {
			case c == '\\':
				e := text[at : at+unitSize]
				size := int(simpleEscapes[e[1]])
				if size == 0 && e[1] == 'u' && isCommonUnit(e) {
					size = unitSize
				} else if size == 0 {
					size = plainUnit(text[at:])
				}
				if size == 0 {
					return -1, false
				}
				i = max(i, at+size)
				set &= ^uint64(0) << (at + size - from)
			case c == '"' || c < ' ':
				return at, high&highs != 0
			default:
				set &= set - 1 // see notPlain
			}
		}
	}
	next, wide, _ = skipSingly(text, i, len(text))
	return next, wide || high&highs != 0
}

// skipSingly is skipEscaped up to about an offset, one escape at a time. More
// says that the string goes on behind that.
func skipSingly(text []byte, i, until int) (next int, wide, more bool) {
	for i < until {
		at, high := skipPlain(text, i)
		wide = wide || high
		if at == len(text) || text[at] != '\\' {
			return at, wide, false
		}
		for i = at; i < len(text) && text[i] == '\\'; {
			size := escapeSize(text[i:])
			if size == 0 {
				return -1, false, false
			}
			i += size
		}
	}
	return i, wide, i < len(text)
}

// setBytes is of how many bytes specials looks at.
const setBytes = 64

// specials are those of the first bytes of text that mean something in a
// string, a bit for each, and perhaps some others: see notPlain. High has a
// high bit if one of the bytes is beyond ASCII.
func specials(text []byte) (set, high uint64) {
	_ = text[setBytes-1]
	for at := 0; at < setBytes; at += 4 * wordBytes {
		a, b := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+wordBytes:])
		c, d := binary.LittleEndian.Uint64(text[at+2*wordBytes:]), binary.LittleEndian.Uint64(text[at+3*wordBytes:])
		set |= (gathered(notPlain(a)) | gathered(notPlain(b))<<8 | gathered(notPlain(c))<<16 | gathered(notPlain(d))<<24) << at
		high |= a | b | c | d
	}
	return set, high
}

// gathered makes the highest bits of eight bytes a byte.
func gathered(highest uint64) uint64 { return highest * 0x0002040810204081 >> 56 }

// escapeSize returns the size of the escape that text begins with, or 0 if it
// is none, or stands for a control character or half a surrogate pair.
func escapeSize(text []byte) int {
	switch {
	case len(text) < unitSize:
		return shortEscape(text)
	case text[1] != 'u':
		return int(simpleEscapes[text[1]])
	}
	return plainUnit(text)
}

// shortEscape is escapeSize for what is too short for an escape of a code unit.
func shortEscape(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	return int(simpleEscapes[text[1]])
}

// isCommonUnit reports whether the escape of a code unit that text begins with
// stands for a character behind the control characters by itself, and not for
// half of one.
func isCommonUnit(text []byte) bool {
	r := hex4(text[2:unitSize])
	return r >= 0xA0 && r&^0x7FF != 0xD800
}

// simpleEscapes are the sizes of the escapes of two bytes, by their second; 0
// for what is none.
var simpleEscapes = [256]uint8{'"': 2, '\\': 2, '/': 2, 'b': 2, 'f': 2, 'n': 2, 'r': 2, 't': 2}

// plainUnit is escapeSize for what can only be an escape of a code unit, or
// two of a pair.
func plainUnit(text []byte) int {
	switch r := hex4(text[2:]); {
	case text[1] != 'u', r < ' ', r >= 0x7F && r < 0xA0:
		return 0
	case !utf16.IsSurrogate(r):
		return unitSize
	}
	_, both, paired := decodeUnit(text)
	if !paired {
		return 0
	}
	return both
}
