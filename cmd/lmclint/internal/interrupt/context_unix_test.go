//go:build unix

package interrupt_test

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
)

// terminates returns a function that sends this process a SIGTERM, and returns
// when it has come. The process outlives it.
func terminates(t *testing.T) func() {
	came := make(chan os.Signal, 1)
	signal.Notify(came, syscall.SIGTERM)
	t.Cleanup(func() { signal.Stop(came) })
	return func() {
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
		<-came
	}
}

func assertTerminated(t *testing.T, cause error) {
	t.Helper()
	var stopped *interrupt.Error
	require.ErrorAs(t, cause, &stopped)
	assert.Equal(t, syscall.SIGTERM, stopped.Signal)
}

func TestContextEndsWithASignal(t *testing.T) {
	terminate := terminates(t)
	ctx, stop := interrupt.Context(t.Context(), 0)
	defer stop()
	terminate()
	<-ctx.Done()
	assertTerminated(t, context.Cause(ctx))
}

func TestContextListensAfterAWhile(t *testing.T) {
	terminate := terminates(t)
	ctx, stop := interrupt.Context(t.Context(), time.Nanosecond)
	defer stop()
	for ctx.Err() == nil {
		terminate()
	}
	assertTerminated(t, context.Cause(ctx))
}

func TestContextThatDoesNotListenYet(t *testing.T) {
	terminate := terminates(t)
	ctx, stop := interrupt.Context(t.Context(), time.Hour)
	terminate()
	require.NoError(t, ctx.Err())
	stop()
	<-ctx.Done()
	assert.ErrorIs(t, context.Cause(ctx), context.Canceled)
}
