package input

import (
	"bytes"
)

// lineFrom returns where the unread line that begins at i ends, and where the
// next one begins; both are as far as the input goes for a line that the input
// ends with. It reports false for a line of more than limit bytes.
func (in *Input) LineFrom(i, limit int) (end, next int, ok bool) {
	for searched := i; ; {
		unread := in.Unread()
		j := EndOfLine(unread[searched:])
		end = searched + max(j, 0)
		switch {
		case j < 0:
			end = len(unread)
		case unread[end] == '\n':
			return end, end + 1, end-i <= limit
		case end+1 < len(unread):
			return end, end + SizeOfEnd(unread[end:]), end-i <= limit
		}
		searched = end
		if end-i > limit {
			return end, end, false
		}
		if !in.Fetch() {
			return end, len(unread), true
		}
	}
}

// endOfLine returns the index of the first line feed or carriage return, or -1.
func EndOfLine(text []byte) int {
	i := bytes.IndexByte(text, '\n')
	if i >= 0 {
		text = text[:i]
	}
	if j := bytes.IndexByte(text, '\r'); j >= 0 {
		return j
	}
	return i
}

// sizeOfEnd returns how many bytes end the line that text stands behind.
func SizeOfEnd(text []byte) int {
	if len(text) > 1 && text[0] == '\r' && text[1] == '\n' {
		return 2
	}
	return 1
}

// lineSize is the size of the line that text begins with, without its end.
func LineSize(text []byte) int {
	if i := EndOfLine(text); i >= 0 {
		return i
	}
	return len(text)
}

// lineHead returns the first size bytes of the unread line that begins
// at i, or all of it if it is shorter.
func (in *Input) LineHead(i, size int) []byte {
	for {
		line := in.Unread()[i:]
		line = line[:min(len(line), size)]
		if n := LineSize(line); n < len(line) || len(line) == size || !in.Fetch() {
			return line[:n]
		}
	}
}
