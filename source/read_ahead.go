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
	aheadFrom   = 4 << 20   // how far an input must have been read to be taken for a long one
	aheadBytes  = 768 << 10 // that are read while those before are looked at
	aheadRoom   = 768 << 10 // before them, at least, for what is left of those
	largestRoom = 8 << 20   // that is kept, if a longer record once needed it
)

// readAhead reads a source in a goroutine of its own, so that somebody can look
// at what has been read meanwhile. It has two buffers in turn.
type readAhead struct {
	src     io.Reader
	empty   chan []byte
	filled  chan filled // closed where the source ends
	stopped atomic.Bool
}

// filled is a buffer with bytes behind its room.
type filled struct {
	buf  []byte
	read []byte // the bytes: the last aheadBytes of buf, or some of them
	err  error  // why the source gives no more
}

// room is how many bytes a buffer has before those that are read.
func (f *filled) room() int { return len(f.buf) - aheadBytes }

// startAhead begins to read ahead if that is worth while, and can be stopped at
// any time because the source never waits.
func (in *input) startAhead() {
	if in.ahead != nil || in.pos.Offset < aheadFrom || in.err != nil || ReadyBytes(in.src) < math.MaxInt || runtime.GOMAXPROCS(0) < 2 {
		return
	}
	in.ahead = &readAhead{src: in.src, empty: make(chan []byte, 2), filled: make(chan filled, 2)}
	in.ahead.reuse(nil)
	go in.ahead.run()
}

func (a *readAhead) run() {
	defer close(a.filled)
	for buf := range a.empty {
		f := filled{buf: buf}
		f.read, f.err = a.fill(buf[f.room():])
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
// is of no use.
func (a *readAhead) reuse(buf []byte) {
	if room := len(buf) - aheadBytes; room < aheadRoom || room > largestRoom {
		buf = make([]byte, aheadRoom+aheadBytes)
	}
	a.empty <- buf
}

// stop ends the reading, and waits for that.
func (a *readAhead) stop() {
	if a == nil {
		return
	}
	a.stopped.Store(true)
	close(a.empty)
	for range a.filled { // until it is closed
	}
}

// take goes on with what was read ahead.
func (in *input) take() {
	f := <-in.ahead.filled
	in.err = f.err
	unread := in.unread()
	if len(unread) > f.room() {
		in.gather(f.read)
		in.ahead.reuse(f.buf)
		return
	}
	used := in.buf
	in.r = f.room() - len(unread)
	copy(f.buf[in.r:], unread)
	in.buf, in.w = f.buf, f.room()+len(f.read)
	in.ahead.reuse(used)
}

// gather puts bytes behind the unread ones.
func (in *input) gather(more []byte) {
	if len(in.buf)-in.w < len(more) {
		in.move(max(len(in.buf), 2*(len(in.unread())+len(more))))
	}
	in.w += copy(in.buf[in.w:], more)
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
