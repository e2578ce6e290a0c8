package input

import (
	"bytes"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// maxBlank is how many bytes of white space are looked through, where it
// matters whether the input goes on. More of it counts as its end.
const maxBlank = 1 << 20

// passLineEnd skips the end of the line, if it has arrived and nothing stands
// before it, and reports whether it did.
func (in *Input) PassLineEnd() bool {
	end := in.LineEnd()
	if end < 0 || value.SpaceSize(in.Unread()) < end {
		return false
	}
	in.Skip(end + 1)
	return true
}

// behind returns the index of the first unread byte from i on that is no
// white space, whether it belongs to the stretch or not. It reports false if
// there is none before the input ends.
func (in *Input) Behind(i int) (at int, found bool) {
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

// followedBy returns the first byte of the stretch from i on that is no white
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

// blankBehind reports whether nothing but white space stands from i on, to the
// end of the whole input.
func (in *Input) BlankBehind(i int) bool {
	if in.Within {
		return false
	}
	_, found := in.Behind(i)
	return !found && (in.err == nil || in.err == io.EOF)
}

// trimBehind cuts the white space at the end of data, but nothing before
// least, nor a code point in two.
func TrimBehind(data []byte, least int) []byte {
	return data[:max(least, len(value.TrimRight(data[:value.PartialRune(data)])))]
}

// index returns where c stands next in the stretch, between from and upTo, or
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
