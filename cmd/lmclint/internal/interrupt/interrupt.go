// Package interrupt lets a program that receives SIGINT or SIGTERM report what
// it has so far before it ends.
package interrupt

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/lmclint/lmclint/lint"
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

// Sizes of one read, in bytes: at first, and once the source has filled that.
const (
	blockBytes = 64 << 10
	largeBytes = 256 << 10
)

// Reader reads a source that may block without limit, such as a pipe or a
// terminal, and fails when the context is canceled.
type Reader struct {
	ctx    context.Context
	stop   context.CancelFunc
	blocks chan block
	free   chan []byte
	now    block
}

// block is the result of one read of the source. Rest is its unread part.
type block struct {
	buffer []byte
	rest   []byte
	err    error
}

// NewReader returns a reader of what open returns. Open may block, too: opening
// a named pipe waits for a writer.
func NewReader(ctx context.Context, open func() (io.ReadCloser, error)) *Reader {
	ctx, stop := context.WithCancel(ctx)
	r := &Reader{ctx: ctx, stop: stop, blocks: make(chan block, 1), free: make(chan []byte, 3)}
	for range cap(r.free) {
		r.free <- nil
	}
	go r.fetch(open)
	return r
}

// Read implements [io.Reader]. It returns the cause of the context once that is
// canceled.
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

// Close stops reading. A read that blocks ends with the program.
func (r *Reader) Close() error {
	r.stop()
	return nil
}

// next waits for a block. A canceled context is the last one.
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

// fetch prefetches at most two blocks, until the source ends or the context is
// canceled. A panic in the source is passed on as an error.
func (r *Reader) fetch(open func() (io.ReadCloser, error)) {
	defer func() {
		if value := recover(); value != nil {
			r.hand(block{err: &lint.PanicError{Value: value, Stack: debug.Stack()}})
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

// hand sends a block and reports whether to continue.
func (r *Reader) hand(b block) bool {
	select {
	case r.blocks <- b:
		return true
	case <-r.ctx.Done():
		return false
	}
}
