package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lmclint/lmclint/internal/source/value"
)

// bufferSize is the initial size of the buffer in bytes. It grows for longer
// records.
const bufferSize = 128 << 10

// Input is a window over the bytes of an input. Bytes before the window are
// gone; the window grows at its end on demand. It is not safe for concurrent use.
type Input struct {
	src  io.Reader
	buf  []byte
	r, w int            // buf[r:w] is unread
	Pos  value.Position // position of buf[r]
	err  error          // what ended src; io.EOF at its end

	IsNested bool // the text is part of an input that continues after it
	Searched int  // number of unread bytes known to contain no line end

	endsLinesAtCR bool // carriage returns are replaced
}

// New returns an input that reads from src. It does not read yet.
func New(src io.Reader) Input {
	return Input{src: src, Pos: value.Position{Line: 1, Column: 1}}
}

// NewText returns a nested input whose bytes are text.
func NewText(text []byte) Input {
	return Input{buf: text, w: len(text), Pos: value.Position{Line: 1, Column: 1}, err: io.EOF, IsNested: true}
}

// keptBuffer is the maximum size in bytes of a buffer that Reset reuses. Reset
// does not reuse one that is smaller than bufferSize either, so that how much
// of an input arrives at a time does not depend on the previous input.
const keptBuffer = 1 << 20 // bytes

// Reset starts reading another source. It reuses the buffer: bytes of the
// previous input are no longer valid.
func (in *Input) Reset(src io.Reader) {
	next := New(src)
	if size := len(in.buf); size >= bufferSize && size <= keptBuffer {
		next.buf = in.buf
	}
	*in = next
}

// Unread returns all bytes that have arrived and were not skipped. They are
// valid until the next call that reads.
func (in *Input) Unread() []byte { return in.buf[in.r:in.w] }

// LineEnd returns the index of the first unread line feed, or -1.
func (in *Input) LineEnd() int {
	i := bytes.IndexByte(in.buf[in.r+in.Searched:in.w], '\n')
	if i < 0 {
		in.Searched = in.w - in.r
		return -1
	}
	in.Searched += i
	return in.Searched
}

// End returns io.EOF, or the error of the source as a [ReadError].
func (in *Input) End() error {
	if in.err == nil || in.err == io.EOF {
		return io.EOF
	}
	return &ReadError{At: in.Pos.Advance(in.Unread()), err: in.err}
}

// Skip advances by n unread bytes.
func (in *Input) Skip(n int) {
	in.SkipTo(n, in.Pos.Advance(in.buf[in.r:in.r+n]))
}

// SkipTo advances by n unread bytes, after which the position is to.
func (in *Input) SkipTo(n int, to value.Position) {
	in.Pos = to
	in.r += n
	in.Searched = max(0, in.Searched-n)
}

// NextLine advances over the end of the line if the input is there, and reports
// whether it was.
func (in *Input) NextLine() bool {
	if in.LineEnd() != 0 {
		return false
	}
	in.skipLine(0)
	return true
}

// Fetch reads from the source once, independent of the segment, and reports
// whether bytes have arrived.
func (in *Input) Fetch() bool {
	if in.err != nil {
		return false
	}
	if in.w == len(in.buf) {
		in.makeRoom()
	}
	var n int
	n, in.err = readOnce(in.src, in.buf[in.w:min(len(in.buf), in.w+bufferSize)])
	if in.endsLinesAtCR {
		replaceCR(in.buf[in.w : in.w+n])
	}
	in.w += n
	return n > 0
}

// EndLinesAtCR replaces each carriage return that is unread or arrives later by a line
// feed, so that it ends a line. Offsets are unchanged.
func (in *Input) EndLinesAtCR() {
	if in.IsNested { // the bytes are not the input's own
		in.buf = bytes.Clone(in.buf)
	}
	in.endsLinesAtCR, in.Searched = true, 0
	replaceCR(in.Unread())
}

func replaceCR(text []byte) {
	for i, c := range text {
		if c == '\r' {
			text[i] = '\n'
		}
	}
}

// readOnce reads until there are bytes or an error.
func readOnce(src io.Reader, room []byte) (n int, err error) {
	for range 100 {
		n, err = src.Read(room)
		if n < 0 || n > len(room) {
			return 0, errors.New("the source returned an invalid byte count")
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// growth is the factor by which a buffer grows. Untouched pages cost nothing,
// but each outgrown buffer lives until the next garbage collection.
const growth = 4

// makeRoom ensures that a full buffer has free bytes at its end. It moves the unread bytes
// only if at least as many have been read since the last move, so that the total cost is
// linear. The first buffer for a source that knows its length is not larger than that.
func (in *Input) makeRoom() {
	target := in.buf
	switch src, knowsLength := in.src.(interface{ Len() int }); {
	case in.buf == nil && knowsLength:
		target = make([]byte, min(bufferSize, src.Len()+1))
	case in.buf == nil || in.r < (len(in.buf)+1)/2:
		target = make([]byte, max(bufferSize, growth*len(in.buf)))
	}
	n := copy(target, in.Unread())
	in.buf, in.r, in.w = target, 0, n
}

// ReadError is an error of the source with the position where it occurred.
type ReadError struct {
	At  value.Position // after the last byte that was read
	err error
}

func (s *ReadError) Error() string {
	return fmt.Sprintf("reading stopped at line %d, column %d (byte %d): %v", s.At.Line, s.At.Column, s.At.Offset, s.err)
}

func (s *ReadError) Unwrap() error { return s.err }

// ExpansionError reports that a compressed input exceeds its limit and
// MaxRatio.
type ExpansionError struct {
	name  string // of the compression
	limit int64  // Options.MaxUnpackedBytes
}

func (o *ExpansionError) Error() string {
	return fmt.Sprintf("the %s data expands to more than %d times its size, and to more than %d bytes", o.name, MaxRatio, o.limit)
}
