package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// bufferSize is how many bytes the input contains at first; a longer record makes
// it grow.
const bufferSize = 64 << 10

// Sizes for a source that gives as much as it is asked for, in bytes.
const (
	plentyBuffer = 512 << 10 // that the input contains
	readBytes    = 128 << 10 // that are read at a time
)

// hugeBuffer is from how many bytes on a buffer had better be of large pages.
const hugeBuffer = 8 << 20

// Input is a window over the bytes to read. What precedes the window is gone; it
// grows at its end as more is asked for. Its segment is what may be read now: the
// rest of the line if the input is bound to that, else all of the input.
type Input struct {
	src  io.Reader
	buf  []byte
	r, w int            // buf[r:w] is unread
	Pos  value.Position // of buf[r]
	err  error          // why src gives no more

	plenty      bool // the last read gave as much as there was room for
	Bound       bool // do not look beyond the line
	EndAtReturn bool // a carriage return ends a line, too
	Within      bool // the bytes are a text inside the input, which does not end with them
	Comments    bool // from `#` to the end of a line, they count as whitespace
	Talk        bool // and so does what curl -v says, from `*` on
	Searched    int  // unread bytes known to contain no line feed
}

// New makes an input of what src gives. It reads nothing yet.
func New(src io.Reader) Input {
	return Input{src: src, Pos: value.Position{Line: 1, Column: 1}}
}

// NewText makes an input of text inside another input.
func NewText(text []byte) Input {
	return Input{buf: text, w: len(text), Pos: value.Position{Line: 1, Column: 1}, err: io.EOF, Within: true}
}

// keptBuffer is the size up to which a buffer is used for the next input, too.
// One that was made small for a short input is not used again: how much of an
// input is present at a time must not depend on the input before it.
const keptBuffer = 1 << 20 // bytes

// Reset begins with another source. It uses the buffer again, so that what was
// read before is no longer valid.
func (in *Input) Reset(src io.Reader) {
	if ahead, ok := in.src.(*unpackedAhead); ok {
		ahead.stop()
	}
	next := New(src)
	if size := len(in.buf); size >= bufferSize && size <= keptBuffer {
		next.buf = in.buf
	}
	*in = next
}

// Unread returns all bytes that have arrived and were not skipped.
func (in *Input) Unread() []byte { return in.buf[in.r:in.w] }

// Rest returns what has arrived of the segment.
func (in *Input) Rest() []byte {
	if in.Bound {
		if end := in.LineEnd(); end >= 0 {
			return in.Unread()[:end]
		}
	}
	return in.Unread()
}

// LineEnd returns the index of the first unread line feed, or -1.
func (in *Input) LineEnd() int {
	unread := in.Unread()
	i := bytes.IndexByte(unread[in.Searched:], '\n')
	if in.EndAtReturn {
		i = EndOfLine(unread[in.Searched:])
	}
	if i < 0 {
		in.Searched = len(unread)
		return -1
	}
	in.Searched += i
	return in.Searched
}

// Complete reports whether rest is all that the segment has.
func (in *Input) Complete() bool {
	return in.err != nil || in.Bound && in.LineEnd() >= 0
}

// More waits until rest has grown, and reports whether it has.
func (in *Input) More() bool { return !in.Complete() && in.Fetch() }

// ended reports whether rest reaches to the end of the input.
func (in *Input) ended() bool {
	return in.err != nil && (!in.Bound || in.LineEnd() < 0)
}

// End is what stopped the reading: io.EOF, or the source's error with the
// position after the last byte that it gave.
func (in *Input) End() error {
	if in.err == nil || in.err == io.EOF {
		return io.EOF
	}
	return &ReadError{At: in.Pos.Advance(in.Unread()), err: in.err}
}

// Failure is the source's error if rest reaches up to where it happened.
func (in *Input) Failure() error {
	if !in.ended() || in.err == io.EOF {
		return nil
	}
	return in.End()
}

// Skip moves over n unread bytes.
func (in *Input) Skip(n int) {
	in.SkipTo(n, in.Pos.Advance(in.buf[in.r:in.r+n]))
}

// SkipTo moves over n unread bytes, to that position.
func (in *Input) SkipTo(n int, to value.Position) {
	in.Pos = to
	in.r += n
	in.Searched = max(0, in.Searched-n)
}

// OnLine reports whether the next n bytes are known to contain no line feed.
func (in *Input) OnLine(n int) bool { return n <= in.Searched }

// NextLine moves over the line feed that bounds the line, if there is one.
func (in *Input) NextLine() bool {
	if in.LineEnd() != 0 {
		return false
	}
	if in.buf[in.r] == '\r' && len(in.Unread()) == 1 {
		in.Fetch() // a line feed may belong to it
	}
	in.Skip(SizeOfEnd(in.Unread()))
	return true
}

// Discard skips the segment to its end, in bounded memory. A code point of which
// a part has arrived counts when the rest has.
func (in *Input) Discard() {
	for !in.Complete() {
		in.Skip(value.PartialRune(in.Unread()))
		in.Fetch()
	}
	in.Skip(len(in.Rest()))
}

// Load waits until rest has n bytes or is complete, and returns it, but not
// more than n bytes.
func (in *Input) Load(n int) []byte {
	for len(in.Rest()) < n && in.More() {
	}
	rest := in.Rest()
	return rest[:min(n, len(rest))]
}

// Peek skips whitespace and returns the byte after it, without skipping
// that. It reports false at the end of the segment.
func (in *Input) Peek() (byte, bool) {
	for {
		rest := in.Rest()
		n := value.SpaceSize(rest)
		in.Skip(n)
		switch {
		case n < len(rest) && in.opensComment(rest[n]):
			in.skipComment()
		case n < len(rest):
			return rest[n], true
		case !in.More():
			return 0, false
		}
	}
}

// Fetch reads once, whatever the bounds, and reports whether that gave bytes.
func (in *Input) Fetch() bool {
	if in.err != nil {
		return false
	}
	in.makeRoom()
	return in.read()
}

// read reads once into the room that is there.
func (in *Input) read() bool {
	room := in.buf[in.w:min(len(in.buf), in.w+readBytes)]
	n, err := readOnce(in.src, room)
	in.w += n
	in.err = err
	in.plenty = n == len(room) && n >= bufferSize/2
	return n > 0
}

// readOnce reads until there are bytes or an error.
func readOnce(src io.Reader, room []byte) (n int, err error) {
	for range 100 {
		n, err = src.Read(room)
		if n < 0 || n > len(room) {
			return 0, errors.New("the source miscounts its bytes")
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// makeRoom sees to it that the buffer has room after the unread bytes. It
// moves them only if at least as many bytes have been read since, so that all
// moving together is linear.
func (in *Input) makeRoom() {
	if in.w < len(in.buf) {
		if in.isCold() {
			in.move(len(in.buf))
		}
		return
	}
	size := len(in.buf)
	switch {
	case in.plenty && size < plentyBuffer:
		size = plentyBuffer
	case in.r < (size+1)/2 || in.buf == nil:
		size = max(in.firstBuffer(), growth*size)
	}
	in.move(size)
}

// isCold reports whether the start of a buffer that has grown is better read
// into than what comes next: it is more likely to be in the caches, and a page
// that was never touched costs no memory.
func (in *Input) isCold() bool {
	return len(in.buf) > plentyBuffer && in.r >= plentyBuffer/2 && len(in.Unread()) <= in.r/2
}

// move moves the unread bytes to the start of a buffer of that size.
func (in *Input) move(size int) {
	target := in.buf
	if size != len(target) {
		target = make([]byte, size)
		if size >= hugeBuffer {
			largePages(target)
		}
	}
	n := copy(target, in.Unread())
	in.buf, in.r, in.w = target, 0, n
}

// firstBuffer is how many bytes the input contains at first, no more than it has
// where it can tell.
func (in *Input) firstBuffer() int {
	if src, ok := in.src.(interface{ Len() int }); ok && in.buf == nil {
		return min(bufferSize, src.Len()+1)
	}
	return bufferSize
}

// growth is by how much a buffer grows. Pages of it that were never touched cost
// nothing, but every outgrown buffer stays around for a while.
const growth = 4

// ReadError is the source's error, and where it happened.
type ReadError struct {
	At  value.Position // after the last byte that could be read
	err error
}

func (s *ReadError) Error() string {
	return fmt.Sprintf("reading stopped at line %d, column %d (byte %d): %v", s.At.Line, s.At.Column, s.At.Offset, s.err)
}

func (s *ReadError) Unwrap() error { return s.err }

// ExpansionError reports that a compressed input expands by more than MaxRatio.
type ExpansionError struct {
	name  string // of the compression
	limit int64  // Options.MaxUnpackedBytes
}

func (o *ExpansionError) Error() string {
	return fmt.Sprintf("the %s data grows to more than %d times its size, and over %d bytes", o.name, MaxRatio, o.limit)
}
