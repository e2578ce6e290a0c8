// Package interrupt lets a program that receives SIGINT or SIGTERM report what
// it has so far before it ends.
package interrupt

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// Error is the cause of a context that a signal canceled.
type Error struct{ Signal os.Signal }

// Error implements the interface error.
func (e *Error) Error() string { return "interrupted" }

// Context returns a context that the first SIGINT or SIGTERM cancels, with an
// [*Error] as its cause. A second signal has its default effect: it ends the
// program immediately.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() { // nothing in it can panic
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(&Error{Signal: s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// Sizes of what is read at once, in bytes: at first, and from a source that
// gives as much.
const (
	blockBytes = 64 << 10
	largeBytes = 256 << 10
)

// Reader reads a source that may block for ever, such as a pipe or a terminal,
// and gives up when the context ends.
type Reader struct {
	ctx    context.Context
	stop   context.CancelFunc
	blocks chan block
	free   chan []byte
	now    block
}

// block is what one call of Read gave. Rest is what of it is not read yet.
type block struct {
	buffer []byte
	rest   []byte
	err    error
}

// NewReader makes a reader of what open opens. Opening may block as well: a
// named pipe has to wait for a writer.
func NewReader(ctx context.Context, open func() (io.ReadCloser, error)) *Reader {
	ctx, stop := context.WithCancel(ctx)
	r := &Reader{ctx: ctx, stop: stop, blocks: make(chan block, 1), free: make(chan []byte, 3)}
	for range cap(r.free) {
		r.free <- nil
	}
	go r.fetch(open)
	return r
}

// Read implements [io.Reader]. When the context has ended it returns its cause.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.now.rest) == 0 {
		if r.now.err != nil {
			return 0, r.now.err
		}
		r.next()
	}
	n := copy(p, r.now.rest)
	r.now.rest = r.now.rest[n:]
	return n, nil
}

// Ready implements [source.Ready].
func (r *Reader) Ready() int {
	if len(r.now.rest) == 0 && len(r.blocks) > 0 {
		r.next()
	}
	return len(r.now.rest)
}

// Close stops reading. A read that blocks is left to the end of the program.
func (r *Reader) Close() error {
	r.stop()
	return nil
}

// next waits for a block, and takes the end of the context for the last one.
func (r *Reader) next() {
	if r.now.buffer != nil {
		r.free <- r.now.buffer
		r.now.buffer = nil
	}
	select {
	case r.now = <-r.blocks:
	case <-r.ctx.Done():
		r.now = block{err: context.Cause(r.ctx)}
	}
}

// fetch reads ahead, two blocks at most, until the source or the context ends.
// Blocks are larger where the source has much to give.
func (r *Reader) fetch(open func() (io.ReadCloser, error)) {
	defer func() {
		if value := recover(); value != nil {
			r.hand(block{err: fmt.Errorf("internal error: %v\n%s", value, debug.Stack())})
		}
	}()
	source, err := open()
	if err != nil {
		r.hand(block{err: err})
		return
	}
	defer func() { _ = source.Close() }()
	for size := blockBytes; ; {
		select {
		case buffer := <-r.free:
			if len(buffer) < size {
				buffer = make([]byte, size)
			}
			n, err := source.Read(buffer)
			if !r.hand(block{buffer: buffer, rest: buffer[:n], err: err}) || err != nil {
				return
			}
			if n == len(buffer) {
				size = largeBytes
			}
		case <-r.ctx.Done():
			return
		}
	}
}

// hand passes a block on and reports whether there is more to do.
func (r *Reader) hand(b block) bool {
	select {
	case r.blocks <- b:
		return true
	case <-r.ctx.Done():
		return false
	}
}
