// Package interrupt lets a program that is told to stop say what it knows
// before it does.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Error is the cause of a context that a signal ended.
type Error struct{ Signal os.Signal }

// Error implements the interface error.
func (e *Error) Error() string { return "interrupted" }

// Context returns a context that the first SIGINT or SIGTERM ends, with an
// [*Error] as its cause. The second one does what it would have done without
// this package: it ends the program at once.
func Context(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(&Error{Signal: s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}
