package embedded

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
)

// responseLine is how the head of an HTTP response begins, as curl -i writes it.
const responseLine = "HTTP/"

// maxHead is within how many bytes the head of an HTTP response must end.
const maxHead = 64 << 10

// curlLine matches what curl -v writes about a connection: its own words, the
// lines of a request and of the head of its response, and how much came.
var curlLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\* |[<>]( [^{\[]|[ \r]*$)|[{}] \[\d+ bytes data\])`)
})

// passHead skips the head of an HTTP response that the input begins with, as
// curl -i and curl -v write it.
func passHead(r *source.Cursor) {
	switch c, _ := r.In.Peek(); {
	case c == responseLine[0] && string(r.In.Load(len(responseLine))) == responseLine:
		r.In.Skip(endOfHead(r))
	case c == '*', c == '>':
		if end := endOfTalk(r); end > 0 {
			r.In.Skip(end)
			r.In.Talk = true
		}
	}
}

// endOfHead returns where the body begins behind the head that the unread input
// begins with, of which there may be several. It returns 0 if there is no body.
func endOfHead(r *source.Cursor) int {
	for i := 0; i < maxHead; {
		line, next := headLine(&r.In, i)
		if next == i {
			break
		}
		if i = next; len(line) == 0 && !bytes.HasPrefix(r.In.LineHead(i, len(responseLine)), []byte(responseLine)) {
			return i
		}
	}
	return 0
}

// endOfTalk returns where the lines about a connection end that the unread
// input begins with, and 0 if they are something else.
func endOfTalk(r *source.Cursor) int {
	answered := false
	for i := 0; i < maxHead; {
		line, next := headLine(&r.In, i)
		if next == i {
			break
		}
		if !curlLine().Match(line) {
			if answered {
				return i
			}
			break
		}
		answered = answered || bytes.HasPrefix(line, []byte("< "+responseLine))
		i = next
	}
	return 0
}

// headLine returns the unread line that begins at i, without its end, and where
// the next one begins. That is i again where there is none.
func headLine(in *input.Input, i int) (line []byte, next int) {
	end, next, ok := in.LineFrom(i, maxHead)
	if !ok {
		return nil, i
	}
	return in.Unread()[i:end], next
}
