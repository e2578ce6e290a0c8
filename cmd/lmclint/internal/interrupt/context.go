// Package interrupt lets a program that receives SIGINT or SIGTERM report what
// it has so far before it ends.
package interrupt

import (
	"context"
	"os"
	"os/signal"
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
