package value

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// text scans a string with its quotes, and reports whether it contains an escape,
// and whether it is known to be plain (see [Node.IsPlain]).
func (s *Scanner) text() (escaped, plain, ok bool) {
	start, closing, lone := s.pos, s.data[s.pos], false
	s.pos++
	plain = !s.Python
	for {
		if s.Python {
			s.pos += countPlain(s.data[s.pos:], closing)
		} else {
			end, wide := skipPlain(s.data, s.pos)
			s.pos, plain, s.mayHaveNonASCII = end, plain && !wide, s.mayHaveNonASCII || wide
		}
		s.token = start
		switch isCut := s.pos == len(s.data); {
		case !isCut && s.data[s.pos] == closing:
			s.pos++
			return escaped, plain, true
		case !isCut && s.data[s.pos] != '\\':
			return escaped, false, s.controlInText(closing)
		case !s.escape(&lone):
			if s.stop.Truncated {
				s.stop.Related = &Range{start, start + 1}
			}
			return escaped, false, false
		}
		escaped, plain = true, false
	}
}

// countPlain returns how many bytes at the start of text have no special
// meaning in a Python string with the given closing quote.
func countPlain(text []byte, closing byte) int {
	for i, c := range text {
		if c == closing || c == '\\' || c == '\n' || c == '\r' || c == 0 {
			return i
		}
	}
	return len(text)
}

// escape scans a backslash and what belongs to it, if the data does not end before that.
// Lone reports whether the string has a lone surrogate, which is reported once per string.
func (s *Scanner) escape(lone *bool) bool {
	rest := s.data[s.pos:]
	if len(rest) < 2 {
		return s.truncated()
	}
	want := hexDigits(rest[1])
	switch {
	case s.Python && want == 0: // unknown escapes are text
		_, size := DecodePython(rest)
		s.pos += size
		return true
	case !s.Python && simpleEscapes[rest[1]]:
		s.pos += 2
		return true
	case !s.Python && rest[1] != 'u':
		return s.badEscape(0, ", which is not a JSON escape; a backslash is written `\\\\`")
	}
	digits := countHex(rest[2:min(2+want, len(rest))])
	switch {
	case digits == len(rest)-2 && digits < want:
		return s.truncated()
	case digits < want:
		return s.badEscape(1+digits, fmt.Sprintf(", expected %d hexadecimal digits after `%s`", want, rest[:2]))
	}
	return s.unit(rest, 2+want, lone)
}

// unit scans an escape of hexadecimal digits, of the given size in bytes.
func (s *Scanner) unit(rest []byte, size int, lone *bool) bool {
	r := rune(hexValue(rest[2:size]))
	paired, why := false, ", half of a surrogate pair, which Python does not join"
	if !s.Python {
		r, size, paired = decodeUnit(rest)
		why = ", half of a surrogate pair without its other half"
	}
	end := s.pos + size
	switch {
	case r < 0 || r > utf8.MaxRune:
		return s.failAt(s.pos, end, "found "+s.quote(s.pos, end)+", which is beyond the last character, U+10FFFF")
	case utf16.IsSurrogate(r) && !paired && !*lone:
		*lone = true
		s.faults = append(s.faults, Fault{Kind: LoneSurrogate, Start: s.pos, End: end, Detail: "found " + s.quote(s.pos, end) + why})
	}
	s.pos = end
	return true
}

// decodeUnit decodes the \u escape, or surrogate pair of escapes, that text
// starts with. Paired is false for a lone surrogate. Size is in bytes.
func decodeUnit(text []byte) (r rune, size int, paired bool) {
	r = rune(hexValue(text[2:unitSize]))
	if !utf16.IsSurrogate(r) {
		return r, unitSize, true
	}
	if len(text) >= 2*unitSize && text[6] == '\\' && text[7] == 'u' {
		if pair := utf16.DecodeRune(r, rune(hexValue(text[8:2*unitSize]))); pair != utf8.RuneError {
			return pair, 2 * unitSize, true
		}
	}
	return r, unitSize, false
}

// hexDigits returns the number of hexadecimal digits after `\x`, `\u` or `\U`,
// and 0 for other letters.
func hexDigits(letter byte) int {
	if i := strings.IndexByte("xuU", letter); i >= 0 {
		return 2 << i
	}
	return 0
}

// countHex returns how many hexadecimal digits text starts with.
func countHex(text []byte) int {
	for i, c := range text {
		if hexValues[c] < 0 {
			return i
		}
	}
	return len(text)
}

// hexValue returns the value of up to eight hexadecimal digits, or a negative number if
// they are not.
func hexValue(digits []byte) (v int64) {
	for _, c := range digits {
		v = v<<4 | int64(hexValues[c])
	}
	return v
}

// hexValues are the values of the hexadecimal digits by byte, and -1 for other
// bytes.
var hexValues = func() (values [256]int8) {
	for c := range values {
		values[c] = -1
	}
	for i, c := range "0123456789abcdef" {
		values[c], values[unicode.ToUpper(c)] = int8(i), int8(i)
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
func IsPlainText(text []byte) bool {
	for rest := text; ; {
		i := bytes.IndexByte(rest, 0xC2)
		if i < 0 || i+1 >= len(rest) {
			return utf8.Valid(text)
		}
		if rest[i+1] < 0xA0 {
			return false
		}
		rest = rest[i+1:]
	}
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
		return !strings.ContainsFunc(n.Text(), func(c rune) bool { return c == 0x1B || c >= 0x7F && c < 0xA0 }) // ESC, DEL, C1
	}
	end, _, _, ok := SkipText(n.raw, 1)
	return ok && end == len(n.raw)-1
}

// SkipString returns the index, from i on, of the first byte that is not part
// of a JSON string: a quote, a control character, or the length of text. It
// returns -1 at an escape that is invalid or that encodes a control character or
// a lone surrogate. Wide reports whether there are bytes beyond ASCII, possibly
// after that index.
func SkipString(text []byte, i int) (next int, escaped, wide bool) {
	for {
		end, high := skipPlain(text, i)
		wide = wide || high
		if end == len(text) || text[end] != '\\' {
			return end, escaped, wide
		}
		escaped = true
		size := escapeSize(text[end:])
		if size == 0 {
			return -1, true, wide
		}
		i = end + size
	}
}

// Words of eight bytes, each of which is 1, or has its highest bit set.
const ones, highs = 0x0101010101010101, 0x8080808080808080

const wordBytes = 8

// skipPlain returns the index, from i on, of the first byte that is special in
// a JSON string: a quote, a backslash or a control character. Wide reports whether
// there are bytes beyond ASCII, possibly after that index.
func skipPlain(text []byte, i int) (next int, wide bool) {
	var high uint64
	for ; i >= 0 && i < len(text)-wordBytes+1; i += wordBytes { // with i >= 0, the compiler needs no bounds check
		word := binary.LittleEndian.Uint64(text[i:])
		high |= word
		// In low, a quote is 0x20 and exactly the control characters are below that;
		// in slash, a backslash is 0. Bytes that are not ASCII keep their highest bit.
		low, slash := word^(ones*('"'^' ')), word^(ones*'\\')
		// A byte's high bit is set where it is at most 0x20, or zero. A borrow can set
		// it wrongly only above a byte where it is set rightly.
		if special := ((low - ones*('\x20'+1)) | (slash - ones)) &^ word & highs; special != 0 {
			return i + bits.TrailingZeros64(special)/8, high&highs != 0
		}
	}
	for i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
		high |= uint64(text[i])
		i++
	}
	return i, high&highs != 0
}

// unitSize is the size of the escape of a UTF-16 code unit, in bytes.
const unitSize = len(`\u0000`)

// escapeSize returns the size of the escape at the start of text in bytes, or 0
// if it is invalid or encodes a control character or a lone surrogate.
func escapeSize(text []byte) int {
	if len(text) > 1 && simpleEscapes[text[1]] {
		return 2
	}
	if len(text) < unitSize || text[1] != 'u' {
		return 0
	}
	switch r := rune(hexValue(text[2:unitSize])); {
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

// number scans a number. It does not compute the value.
func (s *Scanner) number() bool {
	start := s.pos
	i := start
	if s.data[i] == '-' {
		i++
	}
	whole := i
	i = s.digits(i)
	if i == whole {
		if i < len(s.data) && s.data[i] == '-' {
			return s.badNumber(start, i, "a value; text needs double quotes")
		}
		return s.badNumber(start, i, "a digit after the minus sign")
	}
	if s.data[whole] == '0' && i > whole+1 {
		end := WordEnd(s.data, whole)
		return s.failAt(start, end, "found "+s.quote(start, end)+", a number with a leading zero")
	}
	if i < len(s.data) && s.data[i] == '.' {
		fraction := i + 1
		if i = s.digits(fraction); i == fraction {
			return s.badNumber(start, i, "a digit after the point")
		}
	}
	if i < len(s.data) && s.data[i]|0x20 == 'e' {
		i++
		if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
			i++
		}
		exponent := i
		if i = s.digits(exponent); i == exponent {
			return s.badNumber(start, i, "a digit in the exponent")
		}
	}
	if end := WordEnd(s.data, i); end > i {
		return s.failAt(start, end, "found "+s.quote(start, end)+", which is not a JSON number")
	}
	s.token = start
	s.pos = i
	return true
}

func (s *Scanner) digits(i int) int {
	for i < len(s.data) && IsDigit(s.data[i]) {
		i++
	}
	return i
}

// badNumber stops the scan at i, where a digit is missing.
func (s *Scanner) badNumber(start, i int, want string) bool {
	if i == len(s.data) {
		return s.truncated()
	}
	end := WordEnd(s.data, i)
	if detail, ok := noJSON[string(s.data[start:end])]; ok { // -Infinity
		return s.failAt(start, end, detail)
	}
	return s.failAt(start, end, "found "+s.quote(start, end)+", expected "+want)
}

// Value returns the value as encoding/json would decode it into any, with
// numbers as json.Number.
func (n *Node) Value() any {
	switch n.Kind {
	case Object:
		object := make(map[string]any, len(n.Children))
		for i := range n.Children {
			object[n.Children[i].Name] = n.Children[i].Value()
		}
		return object
	case Array:
		array := make([]any, len(n.Children))
		for i := range n.Children {
			array[i] = n.Children[i].Value()
		}
		return array
	case String:
		return n.Text()
	case Number:
		return json.Number(n.raw)
	case Bool:
		return n.raw[0]|0x20 == 't'
	}
	return nil
}

// Python has values that JSON does not: strings with an escape of two or eight digits or
// with an unknown one, and adjacent strings, which are one.

// adjacentStrings scans the strings on the lines after the one that was just
// scanned, and joins them to it. Python concatenates adjacent strings, and
// pprint splits long ones that way. It does not join a string on the same line,
// which nothing writes, nor the name of a member: in both cases a comma is
// missing.
func (s *Scanner) adjacentStrings(n *Node) bool {
	for {
		end, token := s.pos, s.token
		at := end + SpaceSize(s.data[end:])
		if at == len(s.data) || s.data[at] != '"' && s.data[at] != '\'' || bytes.IndexByte(s.data[end:at], '\n') < 0 {
			return true
		}
		s.pos = at
		faults := len(s.faults)
		if _, _, ok := s.text(); !ok {
			return false
		}
		if after := s.pos + SpaceSize(s.data[s.pos:]); after < len(s.data) && s.data[after] == ':' {
			s.pos, s.token, s.faults = end, token, s.faults[:faults]
			return true
		}
		n.escaped, n.joined = true, true
	}
}

// appendJoined appends the text of adjacent strings.
func appendJoined(buf, literals []byte, exact bool) []byte {
	for len(literals) > 0 {
		size := literalSize(literals)
		buf = AppendText(buf, literals[1:size-1], exact, DecodePython)
		literals = literals[size:]
		literals = literals[SpaceSize(literals):]
	}
	return buf
}

// literalSize returns the size of the valid string that text starts with.
func literalSize(text []byte) int {
	closing := text[0]
	for i := 1; ; {
		i += countPlain(text[i:], closing)
		switch text[i] {
		case closing:
			return i + 1
		case '\\':
			i++
		}
		i++
	}
}

// DecodePython decodes the Python escape that text starts with. A backslash that does
// not start one that repr writes, or one of JSON, is decoded as itself, as Python does
// with unknown ones. Size is in bytes.
func DecodePython(text []byte) (r rune, size int) {
	if len(text) < 2 {
		return '\\', 1
	}
	if digits := hexDigits(text[1]); digits > 0 && countHex(text[2:min(2+digits, len(text))]) == digits {
		return rune(hexValue(text[2 : 2+digits])), 2 + digits
	}
	switch c := text[1]; c {
	case '\'', '"', '\\':
		return rune(c), 2
	case 'b', 'f', 'n', 'r', 't':
		return DecodeEscape(text) // as in JSON
	}
	return '\\', 1
}
