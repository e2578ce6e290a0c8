// Package input is a window over the bytes of an input: it decompresses them,
// detects encodings other than UTF-8, finds the ends of lines, and skips
// whitespace and comments.
//
// Bytes before the window are gone; the window grows at its end on demand, so
// that memory is bounded by the longest record. The package does not depend on
// the syntax of values, or on records.
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

// Segment is the part of the unread input that a value may take: the rest of the line,
// or all of it. It moves with the input.
type Segment struct {
	*Input
	IsLine bool // it ends with the line
}

// Line returns the segment that ends with the line.
func (in *Input) Line() Segment { return Segment{in, true} }

// All returns the segment that ends with the input.
func (in *Input) All() Segment { return Segment{in, false} }

// Rest returns the bytes of the segment that have arrived.
func (s Segment) Rest() []byte {
	unread := s.Unread()
	if s.IsLine {
		if end := s.LineEnd(); end >= 0 {
			return unread[:end]
		}
	}
	return unread
}

// Complete reports whether Rest is the whole segment.
func (s Segment) Complete() bool {
	return s.err != nil || s.IsLine && s.LineEnd() >= 0
}

// More blocks until Rest has grown, and reports whether it has. It returns
// false if Rest is complete.
func (s Segment) More() bool { return !s.Complete() && s.Fetch() }

// Failure returns the error of the source if the segment ended because of it,
// else nil.
func (s Segment) Failure() error {
	if s.err == nil || s.err == io.EOF || s.IsLine && s.LineEnd() >= 0 {
		return nil
	}
	return s.End()
}

// Discard skips the rest of the segment in constant memory. A truncated code
// point at the end of what has arrived is kept until the rest arrives, to count
// columns correctly.
func (s Segment) Discard() {
	for !s.Complete() {
		s.Skip(value.PartialRune(s.Unread()))
		s.Fetch()
	}
	s.Skip(len(s.Rest()))
}

// Load blocks until the segment has n bytes or is complete, and returns its
// first n bytes, or all of it if it is shorter.
func (s Segment) Load(n int) []byte {
	for len(s.Rest()) < n && s.More() {
	}
	rest := s.Rest()
	return rest[:min(n, len(rest))]
}

// Peek skips whitespace and returns the byte after it without skipping it. It
// returns false at the end of the segment.
func (s Segment) Peek() (byte, bool) {
	for {
		rest := s.Rest()
		if len(rest) > 0 && rest[0] > ' ' {
			return rest[0], true
		}
		n := value.SpaceSize(rest)
		s.Skip(n)
		switch {
		case n < len(rest):
			return rest[n], true
		case !s.More():
			return 0, false
		}
	}
}

// FollowedBy returns the first byte of the segment from i on that is not
// whitespace, or 0 if there is none.
func (s Segment) FollowedBy(i int) byte {
	for most := i + maxBlank; i <= most; {
		rest := s.Rest()
		i += value.SpaceSize(rest[i:])
		if i < len(rest) && i <= most {
			return rest[i]
		}
		if i < len(rest) || !s.More() {
			break
		}
	}
	return 0
}
