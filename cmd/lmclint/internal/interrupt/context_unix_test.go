//go:build unix

package interrupt_test

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
)

func TestSignalCancelsTheContext(t *testing.T) {
	received := make(chan os.Signal, 1) // keeps the signal from ending the test
	signal.Notify(received, syscall.SIGTERM)
	t.Cleanup(func() { signal.Stop(received) })
	ctx, stop := interrupt.Context(t.Context())
	defer stop()
	require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGTERM))
	<-ctx.Done()
	var stopped *interrupt.Error
	require.ErrorAs(t, context.Cause(ctx), &stopped)
	assert.Equal(t, syscall.SIGTERM, stopped.Signal)
}

func TestStopCancelsTheContext(t *testing.T) {
	ctx, stop := interrupt.Context(t.Context())
	stop()
	assert.ErrorIs(t, context.Cause(ctx), context.Canceled)
}
