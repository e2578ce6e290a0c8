package input

import (
	"bytes"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// LineFrom returns the offsets of the end of the unread line that starts at i,
// and of the next line; both are the end of the input for its last line. It
// returns false for a line of more than limit bytes.
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

// EndOfLine returns the index of the first line feed or carriage return, or -1.
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

// SizeOfEnd returns the size of the line end that text starts with.
func SizeOfEnd(text []byte) int {
	if len(text) > 1 && text[0] == '\r' && text[1] == '\n' {
		return 2
	}
	return 1
}

// LineSize returns the size of the first line of text, without its end.
func LineSize(text []byte) int {
	if i := EndOfLine(text); i >= 0 {
		return i
	}
	return len(text)
}

// LineHead returns the unread line that starts at i without its end, truncated
// to size bytes.
func (in *Input) LineHead(i, size int) []byte {
	for {
		line := in.Unread()[i:]
		line = line[:min(len(line), size)]
		if n := LineSize(line); n < len(line) || len(line) == size || !in.Fetch() {
			return line[:n]
		}
	}
}

// maxBlank is how many bytes of whitespace are examined to find out whether the
// input continues. After more, it counts as ended.
const maxBlank = 1 << 20

// SkipBlankLine advances to the next line if the rest of the line is blank and
// its end has arrived, and reports whether it did.
func (in *Input) SkipBlankLine() bool {
	end := in.LineEnd()
	if end < 0 || value.SpaceSize(in.Unread()) < end {
		return false
	}
	in.Skip(end + 1)
	return true
}

// NextAfter returns the index of the first unread byte from i on that is not
// whitespace, within the segment or after it. It returns false if the input
// ends before one. The bytes before i must have arrived.
func (in *Input) NextAfter(i int) (at int, found bool) {
	for most := i + maxBlank; i <= most; {
		unread := in.Unread()
		i += value.SpaceSize(unread[i:])
		if i < len(unread) {
			return i, i <= most
		}
		if !in.Fetch() {
			break
		}
	}
	return i, false
}

// FollowedBy returns the first byte of the segment from i on that is not
// whitespace, or 0 if there is none.
func (in *Input) FollowedBy(i int) byte {
	for most := i + maxBlank; i <= most; {
		rest := in.Rest()
		i += value.SpaceSize(rest[i:])
		if i < len(rest) && i <= most {
			return rest[i]
		}
		if i < len(rest) || !in.More() {
			break
		}
	}
	return 0
}

// IsBlankAfter reports whether the whole input ends without an error and has
// nothing but whitespace from i on. It is false for a nested input.
func (in *Input) IsBlankAfter(i int) bool {
	if in.IsNested {
		return false
	}
	_, found := in.NextAfter(i)
	return !found && (in.err == nil || in.err == io.EOF)
}

// TrimEnd removes a truncated code point and whitespace from the end of data,
// but keeps at least the first least bytes.
func TrimEnd(data []byte, least int) []byte {
	return data[:max(least, len(value.TrimRight(data[:value.PartialRune(data)])))]
}

// Index returns the index of the next c in the segment in [from, upTo), or -1.
// It reads no more than needed.
func (in *Input) Index(c byte, from, upTo int) int {
	for {
		rest := in.Rest()
		rest = rest[:min(len(rest), upTo)]
		if from < len(rest) {
			if i := bytes.IndexByte(rest[from:], c); i >= 0 {
				return from + i
			}
			from = len(rest)
		}
		if len(rest) == upTo || !in.More() {
			return -1
		}
	}
}
