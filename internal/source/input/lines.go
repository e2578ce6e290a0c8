package input

import (
	"bytes"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// LineFrom returns where the unread line that begins at i ends, and where the
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

// SizeOfEnd returns how many bytes end the line that text is after.
func SizeOfEnd(text []byte) int {
	if len(text) > 1 && text[0] == '\r' && text[1] == '\n' {
		return 2
	}
	return 1
}

// LineSize is the size of the line that text begins with, without its end.
func LineSize(text []byte) int {
	if i := EndOfLine(text); i >= 0 {
		return i
	}
	return len(text)
}

// LineHead returns the first size bytes of the unread line that begins
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

// maxBlank is how many bytes of whitespace are looked through, where it
// matters whether the input continues. More of it counts as its end.
const maxBlank = 1 << 20

// PassLineEnd skips the end of the line, if it has arrived and nothing stands
// before it, and reports whether it did.
func (in *Input) PassLineEnd() bool {
	end := in.LineEnd()
	if end < 0 || value.SpaceSize(in.Unread()) < end {
		return false
	}
	in.Skip(end + 1)
	return true
}

// NextAfter returns the index of the first unread byte from i on that is no
// whitespace, whether it belongs to the segment or not. It reports false if
// there is none before the input ends.
func (in *Input) NextAfter(i int) (at int, found bool) {
	for most := i + maxBlank; i <= most; {
		unread := in.Unread()
		i += in.blank(unread[i:], in.err != nil)
		if i < len(unread) && !in.inComment(unread[i:]) {
			return i, i <= most
		}
		if !in.Fetch() {
			break
		}
	}
	return i, false
}

// FollowedBy returns the first byte of the segment from i on that is no white
// space, or 0 if there is none.
func (in *Input) FollowedBy(i int) byte {
	for most := i + maxBlank; i <= most; {
		rest := in.Rest()
		i += in.blank(rest[i:], in.Complete())
		comment := i < len(rest) && in.inComment(rest[i:])
		if i < len(rest) && !comment && i <= most {
			return rest[i]
		}
		if i < len(rest) && !comment || !in.More() {
			break
		}
	}
	return 0
}

// IsBlankAfter reports whether nothing but whitespace is from i on, to the
// end of the whole input.
func (in *Input) IsBlankAfter(i int) bool {
	if in.Within {
		return false
	}
	_, found := in.NextAfter(i)
	return !found && (in.err == nil || in.err == io.EOF)
}

// TrimEnd cuts the whitespace at the end of data, but nothing before
// least, nor a code point in two.
func TrimEnd(data []byte, least int) []byte {
	return data[:max(least, len(value.TrimRight(data[:value.PartialRune(data)])))]
}

// Index returns where c is next in the segment, between from and upTo, or
// -1. It waits for no more than that takes.
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

// opensComment reports whether c begins what counts as whitespace up to the
// end of its line.
func (in *Input) opensComment(c byte) bool {
	return in.Comments && c == '#' || in.Talk && c == '*'
}

// skipComment skips what is left of the line, in bounded memory.
func (in *Input) skipComment() {
	for {
		n := value.CommentSize(in.Rest())
		ends := n < len(in.Rest())
		in.Skip(n)
		if ends || !in.More() {
			return
		}
	}
}

// blank returns how many bytes of whitespace, and of comments if the input
// has them, text begins with. A comment counts only with its line feed, unless
// complete reports that no more text will come.
func (in *Input) blank(text []byte, complete bool) (n int) {
	for {
		n += value.SpaceSize(text[n:])
		if n == len(text) || !in.opensComment(text[n]) {
			return n
		}
		size := value.CommentSize(text[n:])
		if n+size == len(text) && !complete {
			return n
		}
		n += size
	}
}

// inComment reports whether text begins with a comment, and ends before that
// does. One that is too long to be looked through is not one.
func (in *Input) inComment(text []byte) bool {
	return in.opensComment(text[0]) && len(text) < maxBlank
}
