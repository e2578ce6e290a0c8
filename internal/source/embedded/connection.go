package embedded

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// markedFrame matches the beginning of a line on which a tool such as wscat
// printed a frame: an arrow that says who sent it, maybe after a time, and an
// object.
var markedFrame = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\[(]?[0-9:., T/Z+-]*[\])]?[ \t]*(>{1,3}|<{1,3}|-{1,2}>|<-{1,2}|→|←|⬆|⬇|↑|↓)[ \t]*\{[ \t]*["'}]`)
})

// greeting matches what such tools print before the first frame, and smallTalk
// what they print anywhere that is no frame: also the prompt for another one.
var (
	greeting = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:connected|connecting|websocket|\[?info\b)`)
	})
	statusLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?i:connected|connecting|disconnected|websocket|[<>]\s*$)`)
	})
)

// greetings is how many lines may be before the first frame.
const maxGreetings = 4

// showsMarks reports whether the first lines are frames with arrows.
func hasMarkedFrames(cur *source.Cursor) bool {
	for i, lines := 0, 0; lines <= maxGreetings && i < source.SniffWindow; lines++ {
		line := cur.LineAt(i)
		switch {
		case markedFrame().Match(line):
			return true
		case !greeting().Match(line):
			return false
		}
		next, found := cur.In.NextAfter(i + len(line))
		if !found {
			return false
		}
		i = next
	}
	return false
}

// newMarked begins to read frames with arrows.
func newMarked(cur *source.Cursor) *embeddedReader {
	a := newEmbedded(cur, source.FormLog)
	a.hasMarks = true
	cur.Form = source.FormSessionLog
	return a
}

// directionOfMark is who sent a frame, by what is before it on its line.
func directionOfMark(prefix []byte) source.Direction {
	marked := markedFrame().FindSubmatch(append(prefix[:len(prefix):len(prefix)], `{"`...))
	if marked == nil {
		return source.Undirected
	}
	switch mark := string(marked[1]); {
	case mark[0] == '<', mark == "←", mark == "↓", mark == "⬇":
		return source.Received
	}
	return source.Sent
}

// skipMark is passPrefix where what is before a record says who sent it.
func (a *embeddedReader) skipMark() bool {
	prefix, ok := skipPrefix(&a.cur.In)
	if ok {
		a.sender = directionOfMark(prefix)
	}
	return ok || a.skipTextMark()
}

// markedText matches the beginning of a line on which such a tool printed a
// frame that is no object.
var markedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[<>][ \t]*[^ \t\r\n<>]`)
})

// passTextMark skips the arrow before a frame that is no object, and reports
// whether there is one. Before the first record the lines may as well be the
// head of an HTTP response.
func (a *embeddedReader) skipTextMark() bool {
	in := &a.cur.In
	found := markedText().FindIndex(in.Load(value.MaxWord))
	if found == nil || a.hasRecord || a.cur.Index == 0 {
		return false
	}
	a.sender = source.Sent
	if c, _ := in.Peek(); c == '<' {
		a.sender = source.Received
	}
	in.Skip(found[1] - 1)
	return true
}

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
func skipHead(cur *source.Cursor) {
	switch c, _ := cur.In.Peek(); {
	case c == responseLine[0] && string(cur.In.Load(len(responseLine))) == responseLine:
		cur.In.Skip(endOfHead(cur))
	case c == '*', c == '>':
		if end := endOfCurlLog(cur); end > 0 {
			cur.In.Skip(end)
			cur.In.CurlComments = true
		}
	}
}

// endOfHead returns where the body begins after the head that the unread input
// begins with, of which there may be several. It returns 0 if there is no body.
func endOfHead(cur *source.Cursor) int {
	for i := 0; i < maxHead; {
		line, next := headLine(&cur.In, i)
		if next == i {
			break
		}
		if i = next; len(line) == 0 && !bytes.HasPrefix(cur.In.LineHead(i, len(responseLine)), []byte(responseLine)) {
			return i
		}
	}
	return 0
}

// endOfTalk returns where the lines about a connection end that the unread
// input begins with, and 0 if they are something else.
func endOfCurlLog(cur *source.Cursor) int {
	answered := false
	for i := 0; i < maxHead; {
		line, next := headLine(&cur.In, i)
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
