package source

import (
	"bytes"
	"regexp"
	"sync"
)

// maxHead is within how many bytes the head of an HTTP response must end.
const maxHead = 64 << 10

// curlLine matches what curl -v writes about a connection: its own words, the
// lines of a request and of the head of its response, and how much came.
var curlLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\* |[<>]( [^{\[]|[ \r]*$)|[{}] \[\d+ bytes data\])`)
})

// passHead skips the head of an HTTP response that the input begins with, as
// curl -i and curl -v write it.
func (r *Reader) passHead() {
	switch c, _ := r.in.peek(); {
	case c == httpHead[0] && string(r.in.load(len(httpHead))) == httpHead:
		r.in.skip(r.endOfHead())
	case c == '*', c == '>':
		if end := r.endOfTalk(); end > 0 {
			r.in.skip(end)
			r.in.talk = true
		}
	}
}

// endOfHead returns where the body begins behind the head that the unread input
// begins with, of which there may be several. It returns 0 if there is no body.
func (r *Reader) endOfHead() int {
	for i := 0; i < maxHead; {
		line, next := r.in.headLine(i)
		if next == i {
			break
		}
		if i = next; len(line) == 0 && !bytes.HasPrefix(r.in.lineHead(i), []byte(httpHead)) {
			return i
		}
	}
	return 0
}

// endOfTalk returns where the lines about a connection end that the unread
// input begins with, and 0 if they are something else.
func (r *Reader) endOfTalk() int {
	answered := false
	for i := 0; i < maxHead; {
		line, next := r.in.headLine(i)
		if next == i {
			break
		}
		if !curlLine().Match(line) {
			if answered {
				return i
			}
			break
		}
		answered = answered || bytes.HasPrefix(line, []byte("< "+httpHead))
		i = next
	}
	return 0
}

// headLine returns the unread line that begins at i, without its end, and where
// the next one begins. That is i again where there is none.
func (in *input) headLine(i int) (line []byte, next int) {
	end, next, ok := in.lineFrom(i, maxHead)
	if !ok {
		return nil, i
	}
	return in.unread()[i:end], next
}
