package input

import (
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// maxBlank is how many bytes of whitespace are examined to find out whether the
// input continues. After more, it counts as ended.
const maxBlank = 1 << 20

// SkipBlankLine advances to the next line if the rest of the line is blank and
// its end has arrived, and reports whether it did.
func (in *Input) SkipBlankLine() bool {
	end := in.LineEnd()
	if end < 0 || end > 0 && value.SpaceSize(in.Unread()) < end {
		return false
	}
	in.skipLine(end)
	return true
}

// SkipLine advances to the next line, or to the end of the input, in constant memory.
func (in *Input) SkipLine() {
	end := in.LineEnd()
	for ; end < 0; end = in.LineEnd() {
		in.Skip(value.PartialRune(in.Unread()))
		if !in.Fetch() {
			in.Skip(len(in.Unread()))
			return
		}
	}
	in.skipLine(end)
}

// skipLine advances behind the first unread line feed, which LineEnd returned.
func (in *Input) skipLine(end int) {
	in.r += end + 1
	in.Searched = 0
	in.Pos = value.Position{Offset: in.Pos.Offset + int64(end+1), Line: in.Pos.Line + 1, Column: 1}
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

// IsBlankAfter reports whether the whole input ends without an error and has
// nothing but whitespace from i on. It is false for a nested input.
func (in *Input) IsBlankAfter(i int) bool {
	if in.IsNested {
		return false
	}
	_, found := in.NextAfter(i)
	return !found && (in.err == nil || in.err == io.EOF)
}

// EndsInLine reports whether what has arrived ends within a line.
func (in *Input) EndsInLine() bool {
	if unread := in.Unread(); len(unread) > 0 {
		return unread[len(unread)-1] != '\n'
	}
	return in.Pos.Column > 1
}

// TrimEnd removes a truncated code point and whitespace from the end of data,
// but keeps at least the first least bytes.
func TrimEnd(data []byte, least int) []byte {
	return data[:max(least, len(value.TrimRight(data[:value.PartialRune(data)])))]
}
