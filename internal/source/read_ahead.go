package source

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync/atomic"
)

// Sizes for reading ahead, in bytes.
const (
	aheadFrom  = 4 << 20   // how far an input must have been read to be taken for a long one
	aheadBytes = 768 << 10 // that are read while those before are looked at
	aheadRoom  = 2 << 20   // before them, for what is left of those; a longer record ends the reading ahead
)

const aheadBuffers = 3

// SureBytes is how many bytes are looked at together for base64 by whoever reads
// ahead. As many behind them are not.
const Base64CheckBytes = 64 << 10

// readAhead reads a source in a goroutine of its own, so that somebody can look
// at what has been read meanwhile. It has three buffers in turn: with two it
// would wait for one as long as it takes to be woken.
type readAhead struct {
	src     io.Reader
	empty   chan []byte
	filled  chan filledBuffer // closed where the source ends
	stopped atomic.Bool
}

// filled is a buffer of which the bytes from aheadRoom on were read.
type filledBuffer struct {
	buf  []byte
	read []byte
	sure []int // where, in what was read, so many bytes as SureBytes are base64 alone
	err  error // why the source gives no more
}

// startAhead begins to read ahead if that is worth while, and can be stopped at
// any time because the source never waits.
func (in *input) startAhead() {
	if in.ahead != nil || in.pos.Offset < aheadFrom || len(in.buf) > aheadRoom+aheadBytes {
		return // also where records are so long that the input has grown
	}
	if in.err != nil || AvailableBytes(in.src) < math.MaxInt || runtime.GOMAXPROCS(0) < 2 {
		return
	}
	in.ahead = &readAhead{src: in.src, empty: make(chan []byte, aheadBuffers), filled: make(chan filledBuffer, aheadBuffers)}
	for range aheadBuffers - 1 { // one is in use
		in.ahead.reuse(nil)
	}
	go in.ahead.run()
}

func (a *readAhead) run() {
	defer close(a.filled)
	for buf := range a.empty {
		f := filledBuffer{buf: buf}
		f.read, f.err = a.fill(buf[aheadRoom:])
		if len(a.filled) > 0 { // nobody waits for this one
			f.sure = sureOf(f.read)
		}
		if a.filled <- f; f.err != nil {
			return
		}
	}
}

// fill reads as much as there is room for, unless the reading is to end.
func (a *readAhead) fill(room []byte) (read []byte, err error) {
	n := 0
	for n < len(room) && err == nil && !a.stopped.Load() {
		var more int
		more, err = a.readOnce(room[n:min(len(room), n+readBytes)])
		n += more
	}
	return room[:n], err
}

// sureOf finds base64 in every second piece of what was read: whoever looks at
// images has about twice as much to do as who reads them.
func sureOf(read []byte) (sure []int) {
	for at := 0; at+Base64CheckBytes <= len(read); at += 2 * Base64CheckBytes {
		if CountBase64(read[at:at+Base64CheckBytes]) == Base64CheckBytes {
			sure = append(sure, at)
		}
	}
	return sure
}

// readOnce is readOnce for a goroutine that nobody would rescue from a panic.
func (a *readAhead) readOnce(room []byte) (n int, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			n, err = 0, fmt.Errorf("the source panicked: %v", cause)
		}
	}()
	return readOnce(a.src, room)
}

// reuse gives a buffer back that nobody looks at any more, or a new one if it
// is not one of its own.
func (a *readAhead) reuse(buf []byte) {
	if len(buf) != aheadRoom+aheadBytes {
		buf = make([]byte, aheadRoom+aheadBytes)
	}
	a.empty <- buf
}

// stop ends the reading, and waits for that. What was read is lost.
func (a *readAhead) stop() {
	if a == nil {
		return
	}
	for range a.rest() {
	}
}

// rest ends the reading, and gives what was read.
func (a *readAhead) rest() <-chan filledBuffer {
	a.stopped.Store(true)
	close(a.empty)
	return a.filled
}

// take goes on with what was read ahead.
func (in *input) take() {
	f := <-in.ahead.filled
	unread := in.unread()
	if len(unread) > aheadRoom {
		in.gather(f)
		return
	}
	used := in.buf
	in.r = aheadRoom - len(unread)
	copy(f.buf[in.r:], unread)
	for _, at := range f.sure {
		in.sure = append(in.sure, in.pos.Offset+int64(len(unread)+at))
	}
	in.buf, in.w, in.err = f.buf, aheadRoom+len(f.read), f.err
	in.ahead.reuse(used)
}

// upToSure is how many of n unread bytes stand before the next ones that were
// found to be base64, and where such begin up to which all was shown before.
func (in *input) upToSure(n int, shown int64) (size, sure int) {
	for len(in.sure) > 0 && in.sure[0] < max(shown, in.pos.Offset) {
		in.sure = in.sure[1:]
	}
	if len(in.sure) > 0 && in.sure[0] == shown {
		sure = int(shown - in.pos.Offset)
		in.sure = in.sure[1:]
	}
	if len(in.sure) > 0 {
		n = min(n, int(in.sure[0]-in.pos.Offset))
	}
	return n, sure
}

// gather puts what was read ahead behind the unread bytes, of which there are
// too many to copy them again and again, and ends the reading ahead for good.
func (in *input) gather(next filledBuffer) {
	in.append(next)
	for f := range in.ahead.rest() {
		in.append(f)
	}
	in.ahead = nil
}

func (in *input) append(f filledBuffer) {
	if len(in.buf)-in.w < len(f.read) {
		in.move(growth * len(in.buf))
	}
	in.w += copy(in.buf[in.w:], f.read)
	in.err = f.err
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
