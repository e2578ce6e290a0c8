package source

import "bytes"

// adjoin reads the strings on the lines below the one that was just read. Python
// joins them, and pprint writes long ones so. On the same line nothing writes
// them, and a name of the next member is none of them: a comma is missing.
func (s *scanner) adjoin(n *Node) bool {
	for {
		end, token := s.pos, s.token
		at := end + countSpace(s.data[end:])
		if at == len(s.data) || s.data[at] != '\'' && s.data[at] != '"' || bytes.IndexByte(s.data[end:at], '\n') < 0 {
			return true
		}
		s.pos = at
		escaped, faults := false, len(s.faults)
		if !s.pythonText(&escaped) {
			return false
		}
		if behind := s.pos + countSpace(s.data[s.pos:]); behind < len(s.data) && s.data[behind] == ':' {
			s.pos, s.token, s.faults = end, token, s.faults[:faults]
			return true
		}
		n.escaped, n.joined = true, true
	}
}

// appendJoined appends the text of strings that stand one behind the other.
func appendJoined(buf, literals []byte, exact bool) []byte {
	for len(literals) > 0 {
		size := literalSize(literals)
		buf = appendPython(buf, literals[:size], exact)
		literals = literals[size:]
		literals = literals[countSpace(literals):]
	}
	return buf
}

// literalSize returns how long the string is that text begins with, which must
// be sound.
func literalSize(text []byte) int {
	i := prefixSize(text)
	closing := text[i]
	for i++; ; {
		i += countPlain(text[i:], closing)
		if text[i] == closing {
			return i + 1
		}
		i += 2
	}
}
