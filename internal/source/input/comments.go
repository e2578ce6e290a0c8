package input

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// opensComment reports whether c begins what counts as white space up to the
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

// blank returns how many bytes of white space, and of comments if the input
// has them, text begins with. A comment counts only with its line feed, unless
// complete says that no more text will come.
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
// does. One that is too long to be looked through is none.
func (in *Input) inComment(text []byte) bool {
	return in.opensComment(text[0]) && len(text) < maxBlank
}
