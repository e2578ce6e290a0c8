package embedded

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// markedFrame matches the start of a frame that a tool such as wscat printed:
// an arrow for its direction, perhaps after a time, and an object.
var markedFrame = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\[(]?[0-9:., T/Z+-]*[\])]?[ \t]*(>{1,3}|<{1,3}|-{1,2}>|<-{1,2}|→|←|⬆|⬇|↑|↓)[ \t]*\{[ \t]*["'}]`)
})

// greeting matches the lines that such tools print before the first frame, and
// statusLine those between frames, including the prompt.
var (
	greeting = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i:connected|connecting|websocket|\[?info\b)`)
	})
	statusLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*(?i:connected|connecting|disconnected|websocket|[<>]\s*$)`)
	})
)

// maxGreetings is how many lines may precede the first frame.
const maxGreetings = 4

// hasMarkedFrames reports whether the first lines contain a frame with an
// arrow.
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

// beginsStrayArrow reports whether an arrow is before the record on the first
// line, and the next line begins with a record, unless the form is given. A time
// may precede the arrow.
func beginsStrayArrow(cur *source.Cursor) (isStray, hasTime bool) {
	line := cur.LineAt(0)
	found := markedFrame().FindSubmatchIndex(line)
	if cur.Options.Form != source.FormAuto || found == nil {
		return false, false
	}
	next, isMore := cur.In.NextAfter(len(line))
	return isMore && source.OpensObject(cur.LineAt(next)), bytes.ContainsAny(line[:found[2]], "0123456789")
}

// newMarked returns a reader of frames with arrows.
func newMarked(cur *source.Cursor) *embeddedReader {
	a := newEmbedded(cur, source.FormLog)
	a.hasMarks = true
	cur.Form = source.FormSessionLog
	return a
}

// directionOfMark returns the direction of a frame from the text before it on
// its line.
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

// skipMark is seekAfterPrefix for lines on which the text before a record shows who
// sent it.
func (a *embeddedReader) skipMark() bool {
	line := a.cur.In.Load(maxLogPrefix + openingWindow)
	size, ok := prefixSize(line)
	if !ok || line[size] != '{' {
		return a.skipTextMark()
	}
	a.sender = directionOfMark(line[:size])
	a.cur.In.Skip(size)
	return true
}

// markedText matches the start of a frame that is not an object.
var markedText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[<>][ \t]*[^ \t\r\n<>]`)
})

// skipTextMark skips the arrow before a frame that is not an object, and
// reports whether there is one. It ignores arrows before the first record:
// those lines may be an HTTP response header.
func (a *embeddedReader) skipTextMark() bool {
	in := &a.cur.In
	found := markedText().FindIndex(in.Load(value.MaxWord))
	if found == nil || a.line.hasRecord || a.cur.Index == 0 {
		return false
	}
	a.sender = source.Sent
	if c, _ := in.Peek(); c == '<' {
		a.sender = source.Received
	}
	in.Skip(found[1] - 1)
	return true
}

// responseLine is the start of an HTTP response header, as curl -i prints it.
const responseLine = "HTTP/"

// maxHead is the maximum size in bytes of an HTTP response header.
const maxHead = 64 << 10

// curlLine matches the lines that curl -v prints: notes, request and response
// headers, and sizes.
var curlLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\* |[<>]( [^{\[]|[ \r]*$)|[{}] \[\d+ bytes data\])`)
})

// commandLine matches a command after a shell's prompt, or one that requests a
// page: terminals show it above its output.
var commandLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:\$ +\S|(?:[^{}"\n]{0,80}[$#%>\x{276f}\x{279c}][ ~]*)?(?:curl|curl\.exe|wget|https?|xh) +[^{}\s:=])`)
})

// eventLine matches the first line of events that are not only comments.
var eventLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:data: ?[\[{]|event: ?\w|id: ?\w|retry: ?\d|:)`)
})

// skipHead skips what precedes a body at the start of the input: a command that
// requested it, the HTTP response header or the log of curl -v.
func skipHead(cur *source.Cursor) {
	c, ok := cur.In.Peek()
	if ok && !source.BeginsValue(c) && commandLine().Match(cur.In.LineHead(0, maxLogMark)) {
		cur.In.Skip(endOfCommand(cur))
		c, _ = cur.In.Peek()
	}
	switch {
	case c == responseLine[0] && string(cur.In.Load(len(responseLine))) == responseLine:
		cur.In.Skip(endOfHead(cur))
	case c == '*', c == '>':
		if end := endOfCurlLog(cur); end > 0 {
			cur.In.Skip(end)
			cur.In.CurlComments = true
		}
	}
}

// endOfCommand returns the offset of the response after a command, which a
// backslash continues on the next line. It returns 0 if the next line is not that
// of events, a header or a log of curl.
func endOfCommand(cur *source.Cursor) int {
	continues := true
	for i := 0; i < maxHead; {
		start := i
		line, next := headLine(&cur.In, start)
		if next == start {
			break
		}
		switch i = next; {
		case continues:
			continues = bytes.HasSuffix(value.TrimRight(line), []byte{'\\'})
		case len(line) > 0:
			if eventLine().Match(line) || bytes.HasPrefix(line, []byte(responseLine)) || curlLine().Match(line) {
				return start
			}
			return 0
		}
	}
	return 0
}

// A body in chunks, as it was sent, has the size of each chunk on a line above it.
var (
	chunkedBody = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i)transfer-encoding: *chunked`) })
	chunkSize   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Fa-f]{1,8}$`) })
)

// endOfHead returns the offset of the body after one or more response headers, and
// after the size of its first chunk, or 0 if the input ends before it.
func endOfHead(cur *source.Cursor) int {
	isChunked := false
	for i := 0; i < maxHead; {
		line, next := headLine(&cur.In, i)
		if next == i {
			break
		}
		isChunked = isChunked || chunkedBody().Match(line)
		if i = next; len(line) == 0 && !bytes.HasPrefix(cur.In.LineHead(i, len(responseLine)), []byte(responseLine)) {
			if size, body := headLine(&cur.In, i); isChunked && chunkSize().Match(size) {
				return body
			}
			return i
		}
	}
	return 0
}

// endOfCurlLog returns the end of the log of curl -v at the start of the unread
// input, or 0 if it is something else.
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

// headLine returns the unread line at i without its end, and the start of the
// next line, which is i if there is none.
func headLine(in *input.Input, i int) (line []byte, next int) {
	end, next, ok := in.LineFrom(i, maxHead)
	if !ok {
		return nil, i
	}
	return in.Unread()[i:end], next
}
