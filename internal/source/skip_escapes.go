package source

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
)

// simpleSize is how many bytes an escape such as \n has, and unitSize one of a
// code unit, such as \u0416.
const (
	simpleSize = len(`\n`)
	unitSize   = len(`\u0000`)
)

// skipEscaped is skipPlain for a string with escapes, which it moves over, too.
// It returns -1 at one that is none, or that stands for a control character or
// half a surrogate pair. Most such strings are short: sets are worth their while
// for what is behind the first bytes.
func skipEscaped(text []byte, i int) (next int, wide bool) {
	i, wide, more := skipSingly(text, i, i+setBytes)
	if !more {
		return i, wide
	}
	next, _, high := skipSets(text, i)
	return next, wide || high
}

// skipSets is skipEscaped for many bytes at a time. It says whether there were
// escapes.
func skipSets(text []byte, i int) (next int, escaped, wide bool) {
	var high uint64
	for i+setBytes+unitSize <= len(text) {
		set, seen := specials(text[i:])
		high |= seen
		at := i // of the first byte that the set is about
		for i += setBytes; set != 0; {
			plain := bits.TrailingZeros64(set) & (setBytes - 1)
			at += plain
			set >>= plain
			e := text[at : at+unitSize]
			switch {
			case e[0] != '\\' && (e[0] == '"' || e[0] < ' '):
				return at, escaped, high&highs != 0
			case e[0] != '\\':
				set &^= 1 // see notPlain
				continue
			}
			escaped = true
			if simpleEscapes[e[1]] != 0 {
				at += simpleSize
				set >>= simpleSize
				continue
			}
			size := unitSize
			if e[1] != 'u' || !isCommonUnit(e) {
				if size = plainUnit(text[at:]); size == 0 {
					return -1, true, false
				}
			}
			at += size
			set >>= size & (setBytes - 1)
		}
		i = max(i, at)
	}
	next, wide, _ = skipSingly(text, i, len(text))
	escaped = escaped || next < 0 || bytes.IndexByte(text[i:next], '\\') >= 0
	return next, escaped, wide || high&highs != 0
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
