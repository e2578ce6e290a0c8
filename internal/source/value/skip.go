package value

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// skipPythonText finds the closing quote of a Python string from behind its
// opening one. Like skipText it reports false for a string that is not sound,
// or that holds characters that a terminal may obey; and for one with escapes
// other than those of quotes, the backslash and white space.
func SkipPythonText(text []byte, from int, quote byte) (end int, escaped, ok bool) {
	wide := false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i, escaped, !wide || utf8.Valid(text[from:i]) && !hasC1(text[from:i])
		case c == '\\':
			if i++; i == len(text) || bytes.IndexByte([]byte(`\'"nrt`), text[i]) < 0 {
				return 0, false, false
			}
			escaped = true
		case c < ' ' || c == 0x7F:
			return 0, false, false
		default:
			wide = wide || c >= utf8.RuneSelf
		}
	}
	return 0, false, false
}

const WordBytes = 8

// special is notPlain for bytes beyond ASCII, too.
func Special(w uint64) uint64 { return notPlain(w) | w&highs }

// Plain reports whether the value is a string without anything that a terminal
// may obey: no control character, raw or as an escape other than those for
// white space, and no half of a surrogate pair.
func (n *Node) Plain() bool {
	switch {
	case n.Kind != String:
		return false
	case n.plain:
		return true
	case n.python:
		return !strings.ContainsFunc(n.Text(), isTerminalControl)
	}
	end, _, _, ok := SkipText(n.raw, 1)
	return ok && end == len(n.raw)-1
}

// isTerminalControl reports whether a terminal may take a character for the
// beginning of a command: ESC, or a control character of the second kind.
func isTerminalControl(c rune) bool { return c == 0x1B || c >= 0x7F && c < 0xA0 }

// skipText finds the closing quote of a string from behind its opening one. It
// reports false for a string that is not sound, or that holds characters that
// a terminal may obey; and for one that text ends within, where the end is that
// of text. Wide says that it may hold characters beyond ASCII.
func SkipText(text []byte, i int) (end int, escaped, wide, ok bool) {
	end, wide = skipPlain(text, i)
	if end < len(text) && text[end] == '\\' {
		var high bool
		escaped = true
		end, high = skipEscaped(text, end)
		wide = wide || high
	}
	return closed(text, i, end, escaped, wide)
}

// skipLongText is skipText for a string that is expected to be long.
func SkipLongText(text []byte, i int) (end int, escaped, wide, ok bool) {
	end, escaped, wide = skipSets(text, i)
	return closed(text, i, end, escaped, wide)
}

// closed says what skipText does of a string that was moved over up to end.
func closed(text []byte, i, end int, escaped, wide bool) (int, bool, bool, bool) {
	switch {
	case end == len(text):
		return end, false, false, false
	case end < 0 || text[end] != '"':
		return 0, false, false, false
	}
	return end, escaped, wide, !wide || utf8.Valid(text[i:end]) && !hasC1(text[i:end])
}

// endsInside reports whether text ends in the string that goes on at i, or
// less than so many bytes behind it.
func EndsInside(text []byte, i, behind int) bool {
	for {
		i, _ = skipPlain(text, i)
		switch {
		case i >= len(text):
			return true
		case text[i] == '"':
			return i+behind > len(text)
		case text[i] < ' ':
			return false
		}
		if i += 2; i > len(text) {
			return true
		}
	}
}

// hasC1 reports whether text holds a control character of the second kind
// (U+0080 to U+009F), which terminals obey as they do escapes.
func hasC1(text []byte) bool {
	for {
		i := bytes.IndexByte(text, 0xC2)
		if i < 0 || i+1 >= len(text) {
			return false
		}
		if text[i+1] < 0xA0 {
			return true
		}
		text = text[i+1:]
	}
}

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
	i, wide, more := skipSingly(text, i, i+SetBytes)
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
	for i+SetBytes+unitSize <= len(text) {
		set, seen := specials(text[i:])
		high |= seen
		at := i // of the first byte that the set is about
		for i += SetBytes; set != 0; {
			plain := bits.TrailingZeros64(set) & (SetBytes - 1)
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
			set >>= size & (SetBytes - 1)
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
			size := EscapeSize(text[i:])
			if size == 0 {
				return -1, false, false
			}
			i += size
		}
	}
	return i, wide, i < len(text)
}

// setBytes is of how many bytes specials looks at.
const SetBytes = 64

// specials are those of the first bytes of text that mean something in a
// string, a bit for each, and perhaps some others: see notPlain. High has a
// high bit if one of the bytes is beyond ASCII.
func specials(text []byte) (set, high uint64) {
	_ = text[SetBytes-1]
	for at := 0; at < SetBytes; at += 4 * WordBytes {
		a, b := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+WordBytes:])
		c, d := binary.LittleEndian.Uint64(text[at+2*WordBytes:]), binary.LittleEndian.Uint64(text[at+3*WordBytes:])
		set |= (gathered(notPlain(a)) | gathered(notPlain(b))<<8 | gathered(notPlain(c))<<16 | gathered(notPlain(d))<<24) << at
		high |= a | b | c | d
	}
	return set, high
}

// gathered makes the highest bits of eight bytes a byte.
func gathered(highest uint64) uint64 { return highest * 0x0002040810204081 >> 56 }

// escapeSize returns the size of the escape that text begins with, or 0 if it
// is none, or stands for a control character or half a surrogate pair.
func EscapeSize(text []byte) int {
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
