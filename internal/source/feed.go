package source

import (
	"bytes"
	"io"
)

// Ready is what a source may offer besides Read: how many bytes it gives
// without waiting for whoever writes, at the least. Of a source that never waits
// that is [math.MaxInt]. Such a source may be read by another goroutine than its
// Reader's, never by two at the same time, up to the end of the input or to
// [Reader.Reset].
type AvailableReader interface {
	Ready() int
}

// FeedTexts is how many texts may be in use when a [Feed] is asked for another
// one: those that it gave, and the stretch.
const PrefetchBuffers = 4

// leastRead is for how many bytes there must be room to read ahead.
const leastRead = 32 << 10

// Feed reads the lines behind a stretch while somebody else goes through the
// stretch and through the lines that it gave before. It has two buffers in
// turn. As long as it is at work nobody may use the reader; then [Reader.Pass]
// counts what was passed of the stretch and of all texts together.
type Prefetcher struct {
	in    *Input
	given int // up to where lines of in.buf were given
	texts int // that were given of in.buf
}

// Feed begins to read behind a stretch. Of one that holds no JSON Lines it gives
// nothing.
func (s *Window) Feed() Prefetcher { return Prefetcher{in: s.from, given: s.end} }

// Next returns the next lines. There are none where reading would have to wait,
// where a line is too long for the buffers, and where the input ends.
func (f *Prefetcher) Next() (lines []byte) {
	for f.in != nil && f.hasRoom() && f.in.isReady() && f.in.read() {
		unread := f.in.buf[f.given:f.in.w]
		if size := bytes.LastIndexByte(unread, '\n') + 1; size > 0 {
			f.given += size
			f.texts++
			return unread[:size:size]
		}
	}
	return nil
}

// hasRoom sees to it that there is room to read. It turns to the other buffer
// if all lines of this one were given: then enough other texts are in use for
// that to hold none.
func (f *Prefetcher) hasRoom() bool {
	in := f.in
	if in.w+leastRead <= min(len(in.buf), plentyBuffer) {
		return true
	}
	if in.before != nil && f.texts < PrefetchBuffers || in.w-f.given > plentyBuffer/2 {
		return false
	}
	in.turn(f.given)
	f.given, f.texts = 0, 0
	return true
}

// isReady reports whether the source is known to give more without waiting.
func (in *Input) isReady() bool {
	return in.err == nil && AvailableBytes(in.src) > 0
}

// ReadyBytes is what a source says of itself by [Ready], 0 if it says nothing.
func AvailableBytes(src io.Reader) int {
	if r, ok := src.(AvailableReader); ok {
		return r.Ready()
	}
	return 0
}

// turn goes on in the other buffer. What stands in this one up to end is left
// there; what is left in the other one was passed.
func (in *Input) turn(end int) {
	next := in.spare
	if len(next) < plentyBuffer {
		next = make([]byte, plentyBuffer)
	}
	n := copy(next, in.buf[end:in.w])
	in.let += len(in.before)
	in.before, in.spare = in.buf[in.r:end], in.buf
	in.buf, in.r, in.w = next, 0, n
}

// pass moves over n bytes of text that a feed gave, or that was there.
func (in *Input) pass(n int) {
	n -= in.let
	if left := in.before; n < len(left) {
		in.join(left[n:])
	} else {
		in.r += n - len(left)
	}
	in.let, in.before, in.searched = 0, nil, 0
}

// join puts text from the other buffer before what is unread.
func (in *Input) join(text []byte) {
	size := len(text) + len(in.Unread())
	target := in.buf
	if size > len(target) {
		target = make([]byte, size+readBytes)
	}
	copy(target[len(text):], in.Unread())
	copy(target, text)
	in.buf, in.r, in.w = target, 0, size
}
