package value

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// text scans a JSON string with its quotes, and reports whether it contains an
// escape, and whether it is known to be plain (see [Node.IsPlain]).
func (s *Scanner) text() (escaped, plain, ok bool) {
	start := s.pos
	s.pos++
	end, escaped, wide := SkipString(s.data, s.pos)
	if end >= 0 && end < len(s.data) && s.data[end] == '"' {
		s.token, s.pos = start, end+1
		s.mayHaveNonASCII = s.mayHaveNonASCII || wide
		return escaped, !wide, true
	}
	s.pos, s.mayHaveNonASCII = max(s.pos, end), true
	return escaped, false, s.textSlow(start)
}

// textSlow scans the rest of the string that starts at start and in which the
// fast path of text met something unusual.
func (s *Scanner) textSlow(start int) bool {
	lone := false
	for {
		s.pos = skipPlain(s.data, s.pos)
		if s.pos == len(s.data) {
			s.token = start
			return s.truncated()
		}
		switch s.data[s.pos] {
		case '"':
			s.token = start
			s.pos++
			return true
		case '\\':
			if !s.escape(start, &lone) {
				return false
			}
		default:
			s.token = start
			return s.controlInText()
		}
	}
}

// escape scans an escape of the string that starts at start. Lone reports
// whether the string has a lone surrogate, which is reported once per string.
func (s *Scanner) escape(start int, lone *bool) bool {
	s.token = start
	rest := s.data[s.pos:]
	if len(rest) < 2 {
		return s.truncated()
	}
	switch rest[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos += 2
		return true
	case 'u':
	default:
		return s.badEscape()
	}
	if len(rest) >= len(`\u0000`) {
		if r := hex4(rest[2:]); r >= 0 && !utf16.IsSurrogate(r) {
			s.pos += len(`\u0000`)
			return true
		}
	}
	digits := countHex(rest[2:min(6, len(rest))])
	switch {
	case digits == 4:
		_, size, paired := decodeUnit(rest)
		if !paired && !*lone {
			*lone = true
			s.faults = append(s.faults, loneSurrogate(s.pos, rest[:size]))
		}
		s.pos += size
		return true
	case 2+digits == len(rest):
		return s.truncated()
	}
	return s.badHex(digits)
}

// decodeUnit decodes the \u escape, or surrogate pair of escapes, that text
// starts with. Paired is false for a lone surrogate. Size is in bytes.
func decodeUnit(text []byte) (r rune, size int, paired bool) {
	r = hex4(text[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6, true
	}
	if len(text) >= 12 && text[6] == '\\' && text[7] == 'u' && hex4(text[8:]) >= 0 {
		if pair := utf16.DecodeRune(r, hex4(text[8:])); pair != '\uFFFD' {
			return pair, 12, true
		}
	}
	return r, 6, false
}

func countHex(text []byte) int {
	for i, c := range text {
		if !IsDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return i
		}
	}
	return len(text)
}

// hex4 returns the value of the four hexadecimal digits that text starts with,
// or a negative number if they are not.
func hex4(text []byte) rune {
	_ = text[3]
	return rune(hexValues[text[0]])<<12 | rune(hexValues[text[1]])<<8 | rune(hexValues[text[2]])<<4 | rune(hexValues[text[3]])
}

// hexValues are the values of the hexadecimal digits by byte, and -1 for other
// bytes.
var hexValues = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
		if at := strings.IndexByte("0123456789abcdef", byte(c)); at >= 0 {
			values[c] = int8(at)
		}
		if at := strings.IndexByte("ABCDEF", byte(c)); at >= 0 {
			values[c] = int8(10 + at)
		}
	}
	return values
}()

// SkipText finds the closing quote of a JSON string from the index after its
// opening quote. It returns ok false for a string that is invalid or not plain
// (see [Node.IsPlain]), and, with the length of text as end, for one that text
// truncates. Wide reports whether the string may contain characters that are
// not ASCII.
func SkipText(text []byte, from int) (end int, escaped, wide, ok bool) {
	end, escaped, wide = SkipString(text, from)
	switch {
	case end == len(text):
		return end, false, false, false
	case end < 0 || text[end] != '"':
		return 0, false, false, false
	}
	return end, escaped, wide, !wide || IsPlainText(text[from:end])
}

// IsPlainText reports whether text is UTF-8 without C1 control characters (U+0080
// to U+009F).
func IsPlainText(text []byte) bool { return utf8.Valid(text) && !hasC1(text) }

// SkipPythonText is SkipText for a Python string with the given quote. It also
// returns ok false for escapes other than those of quotes, the backslash and
// whitespace.
func SkipPythonText(text []byte, from int, quote byte) (end int, escaped, ok bool) {
	wide := false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return i, escaped, !wide || IsPlainText(text[from:i])
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

// IsPlain reports whether the value is a string that a terminal prints as it
// is: without control characters, raw or as escapes other than those of
// whitespace, and without lone surrogates.
func (n *Node) IsPlain() bool {
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

// isTerminalControl reports whether a terminal may interpret a character as the
// start of a command: ESC, DEL or a C1 control character.
func isTerminalControl(c rune) bool { return c == 0x1B || c >= 0x7F && c < 0xA0 }

// hasC1 reports whether text contains a C1 control character.
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

// SkipString returns the index, from i on, of the first byte that is not part
// of a JSON string: a quote, a control character, or the length of text. It
// returns -1 at an escape that is invalid or that encodes a control character or
// a lone surrogate. Wide reports whether there are bytes beyond ASCII, possibly
// after that index.
func SkipString(text []byte, i int) (next int, escaped, wide bool) {
	var high uint64
	for i >= 0 && i < len(text)-wordBytes+1 { // with i >= 0, the compiler needs no bounds check
		word := binary.LittleEndian.Uint64(text[i:])
		high |= word
		special := specialBytes(word)
		if special == 0 {
			i += wordBytes
			continue
		}
		i += bits.TrailingZeros64(special) / 8
		if text[i] != '\\' {
			return i, escaped, high&highs != 0
		}
		size := escapeSize(text[i:])
		if size == 0 {
			return -1, true, high&highs != 0
		}
		escaped = true
		i += size
	}
	for i < len(text) {
		c := text[i]
		size := 1
		switch {
		case c < ' ' || c == '"':
			return i, escaped, high&highs != 0
		case c == '\\':
			escaped = true
			if size = escapeSize(text[i:]); size == 0 {
				return -1, true, high&highs != 0
			}
		}
		high |= uint64(c)
		i += size
	}
	return i, escaped, high&highs != 0
}

// Words of eight bytes, each of which is 1, or has its highest bit set.
const ones, highs = 0x0101010101010101, 0x8080808080808080

const wordBytes = 8

// skipPlain returns the index, from i on, of the first byte that is special in
// a JSON string: a quote, a backslash or a control character.
func skipPlain(text []byte, i int) (next int) {
	for ; i+wordBytes <= len(text); i += wordBytes {
		if special := specialBytes(binary.LittleEndian.Uint64(text[i:])); special != 0 {
			return i + bits.TrailingZeros64(special)/8
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		i++
	}
	return i
}

// specialBytes sets the highest bit of the first of eight bytes that is special
// in a JSON string, and possibly of later ones. It returns 0 if there is none.
func specialBytes(word uint64) uint64 {
	// In low, a quote is 0x20 and exactly the control characters are below that;
	// in slash, a backslash is 0. Bytes that are not ASCII keep their highest bit.
	low, slash := word^(ones*('"'^' ')), word^(ones*'\\')
	// A byte's high bit is set where it is at most 0x20, or zero. A borrow can set
	// it wrongly only above a byte where it is set rightly.
	return ((low - ones*('\x20'+1)) | (slash - ones)) &^ word & highs
}

// unitSize is the size of the escape of a UTF-16 code unit, in bytes.
const unitSize = len(`\u0000`)

// escapeSize returns the size of the escape at the start of text in bytes, or 0
// if it is invalid or encodes a control character or a lone surrogate.
func escapeSize(text []byte) int {
	if len(text) > 1 && simpleEscapes[text[1]] {
		return 2
	}
	return unitEscapeSize(text)
}

// unitEscapeSize is escapeSize for a \u escape or a surrogate pair of them.
func unitEscapeSize(text []byte) int {
	if len(text) < unitSize || text[1] != 'u' {
		return 0
	}
	switch r := hex4(text[2:]); {
	case r < ' ', r >= 0x7F && r < 0xA0:
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

// simpleEscapes reports whether a byte is the second one of an escape of two bytes.
var simpleEscapes = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}
