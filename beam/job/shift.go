package job

import (
	"bytes"
	"strconv"
)

// shift is what is added to the places of a finding.
type shift struct {
	lines, conversations, offset int64
}

// of returns what is added to the value of a key of the JSON report.
func (s *shift) of(key string) int64 {
	switch key {
	case "line", "endLine":
		return s.lines
	case "conversation":
		return s.conversations
	case "offset", "endOffset":
		return s.offset
	}
	return 0
}

// apply returns findings as JSON with their places moved, and those of their
// related places and edits. A quote in a string is escaped, so that a
// quoted name with a colon and a digit after it is a key, whatever an input
// contains.
func (s *shift) apply(finding []byte) (to []byte) {
	to = make([]byte, 0, len(finding)+len(finding)/16)
	for {
		colon := bytes.Index(finding, []byte(`":`))
		if colon < 0 {
			return append(to, finding...)
		}
		key := finding[bytes.LastIndexByte(finding[:colon], '"')+1 : colon]
		digits := finding[colon+2:]
		size := 0
		for size < len(digits) && digits[size] >= '0' && digits[size] <= '9' {
			size++
		}
		to = append(to, finding[:colon+2]...)
		finding = digits[size:]
		if by := s.of(string(key)); by != 0 && size > 0 {
			n, _ := strconv.ParseInt(string(digits[:size]), 10, 64)
			to = strconv.AppendInt(to, n+by, 10)
			continue
		}
		to = append(to, digits[:size]...)
	}
}
