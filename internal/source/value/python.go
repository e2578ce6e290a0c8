package value

import "bytes"

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
