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

// blockBytes is the size of one read of a source.
const blockBytes = 256 << 10

// NewReader returns a reader of what open returns, which may block without limit, as a
// pipe or a terminal does. Open may block, too: opening a named pipe waits for a writer.
// Once the context is canceled, the reader fails with its cause. Close stops reading; a
// read that blocks ends with the program.
func NewReader(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	reader, writer := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = writer.CloseWithError(context.Cause(ctx)) })
	go func() { // copySource returns a panic as an error
		defer stop()
		_ = writer.CloseWithError(copySource(writer, open))
	}()
	return reader
}

// copySource writes all that a source has. A panic in the source is returned as an error.
func copySource(w io.Writer, open func() (io.ReadCloser, error)) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &lint.PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	source, err := open()
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	_, err = io.CopyBuffer(w, struct{ io.Reader }{source}, make([]byte, blockBytes)) // without the buffer of a file's WriteTo
	return err
}
