// Package interrupt lets a program that is told to stop say what it knows
// before it does.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Moment is what a run may take before it listens for signals, if it waits for
// nobody and leaves nothing behind. Listening takes threads, for which a run
// that is over at once need not pay.
const Moment = 4 * time.Millisecond

// Error is the cause of a context that a signal ended.
type Error struct{ Signal os.Signal }

// Error implements the interface error.
func (e *Error) Error() string { return "interrupted" }

// Context returns a context that the first SIGINT or SIGTERM ends, with an
// [*Error] as its cause. The second one does what it would have done without
// this package: it ends the program at once. So do those before the moment
// after which signals are listened for, 0 for from the start.
func Context(parent context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	await := func(signals chan os.Signal) {
		defer signal.Stop(signals)
		select {
		case s := <-signals:
			cancel(&Error{Signal: s})
		case <-ctx.Done():
		}
	}
	stop := func() bool { return true }
	if after > 0 {
		stop = time.AfterFunc(after, func() { await(listen()) }).Stop
	} else {
		go await(listen())
	}
	return ctx, func() { stop(); cancel(context.Canceled) }
}

func listen() chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return signals
}
