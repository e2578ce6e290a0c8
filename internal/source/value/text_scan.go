package value

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
)

// text reads a string with its quotes and says whether it holds an escape. Plain
// says that it is ASCII and nothing in it stands for a control character or half
// a surrogate pair.
func (s *Scanner) text() (escaped, plain, sound bool) {
	start := s.pos
	s.pos++
	end, wide := skipPlain(s.data, s.pos)
	if end < len(s.data) && s.data[end] == '\\' {
		var high bool
		escaped = true
		end, high = skipEscaped(s.data, end)
		wide = wide || high
	}
	if end >= 0 && end < len(s.data) && s.data[end] == '"' {
		s.token, s.pos = start, end+1
		s.wide = s.wide || wide
		return escaped, !wide, true
	}
	s.pos, s.wide = max(s.pos, end), true
	return escaped, false, s.textSlowly(start)
}

// textSlowly reads on in the string that began at start, in which something is
// unusual.
func (s *Scanner) textSlowly(start int) bool {
	lone := false
	for {
		s.pos, _ = skipPlain(s.data, s.pos)
		if s.pos == len(s.data) {
			s.token = start
			return s.cutOff()
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

// escape moves over an escape of the string that began at start. Lone says
// that the string has been found to hold a lone surrogate.
func (s *Scanner) escape(start int, lone *bool) bool {
	s.token = start
	rest := s.data[s.pos:]
	if len(rest) < 2 {
		return s.cutOff()
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
		return s.cutOff()
	}
	return s.badHex(digits)
}

// decodeUnit decodes the \u escape, or the pair of them, that text begins
// with. Paired is false for a surrogate without its other half.
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

// hex4 is the value of the four hexadecimal digits that text begins with. It is
// negative if they are no such digits.
func hex4(text []byte) rune {
	_ = text[3]
	return rune(hexValues[text[0]])<<12 | rune(hexValues[text[1]])<<8 | rune(hexValues[text[2]])<<4 | rune(hexValues[text[3]])
}

// hexValues are the values of bytes as hexadecimal digits, -1 for others.
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

// Words of eight bytes of which each is 1, or has its highest bit set.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// skipPlain returns the index, from i on, of the first byte that means
// something in a string: a quote, a backslash or a control character. Wide
// says that bytes beyond ASCII may stand before it.
func skipPlain(text []byte, i int) (next int, wide bool) {
	var high uint64
	for start := i; i+WordBytes <= len(text); i += WordBytes {
		if i == start+blockBytes { // the text is not short
			i, high = skipBlocks(text, i, high)
			if i+WordBytes > len(text) {
				break
			}
		}
		w := binary.LittleEndian.Uint64(text[i:])
		high |= w
		if hit := notPlain(w); hit != 0 {
			return i + bits.TrailingZeros64(hit)/8, high&highs != 0
		}
	}
	for ; i < len(text); i++ {
		c := text[i]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		high |= uint64(c)
	}
	return i, high&highs != 0
}

// blockBytes is how many bytes of a long text are looked at together.
const blockBytes = 4 * WordBytes

// skipBlocks moves over whole blocks of bytes that mean nothing in a string,
// and gathers their bits in high.
func skipBlocks(text []byte, i int, high uint64) (int, uint64) {
	for ; i+blockBytes <= len(text); i += blockBytes {
		block := text[i : i+blockBytes]
		a, b := binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[WordBytes:])
		c, d := binary.LittleEndian.Uint64(block[2*WordBytes:]), binary.LittleEndian.Uint64(block[3*WordBytes:])
		if notPlain(a)|notPlain(b)|notPlain(c)|notPlain(d) != 0 {
			break
		}
		high |= a | b | c | d
	}
	return i, high
}

// notPlain marks the first of eight bytes that means something in a string by
// its highest bit, and perhaps others behind it. It is 0 if there is none.
func notPlain(w uint64) uint64 {
	// A quote becomes 0x20, control characters stay below that, and nothing else
	// comes there; a backslash becomes zero. What is beyond ASCII stays so.
	low, slash := w^(ones*('"'^' ')), w^(ones*'\\')
	// A byte's high bit is set where it is at most 0x20, or zero. Borrows can
	// set it wrongly only above a byte where it is set rightly.
	return ((low - ones*('\x20'+1)) | (slash - ones)) &^ w & highs
}
