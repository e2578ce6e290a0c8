package interrupt_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/interrupt"
)

var errStopped = errors.New("stopped")

func opens(r io.Reader) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(r), nil }
}

func TestReaderGivesAllThatIsThere(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	for name, r := range map[string]io.Reader{
		"in blocks":       bytes.NewReader(text),
		"by halves":       iotest.HalfReader(bytes.NewReader(text)),
		"error with data": iotest.DataErrReader(bytes.NewReader(text)),
	} {
		t.Run(name, func(t *testing.T) {
			reader := interrupt.NewReader(t.Context(), opens(r))
			got, err := io.ReadAll(reader)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(text, got))
			require.NoError(t, reader.Close())
		})
	}
}

func TestReaderGivesItsSourcesError(t *testing.T) {
	broken := io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(errStopped))
	reader := interrupt.NewReader(t.Context(), opens(broken))
	got, err := io.ReadAll(reader)
	assert.Equal(t, "abc", string(got))
	require.ErrorIs(t, err, errStopped)
	_, err = reader.Read(make([]byte, 1))
	assert.ErrorIs(t, err, errStopped, "and again")
}

func TestReaderGivesTheErrorOfOpening(t *testing.T) {
	reader := interrupt.NewReader(t.Context(), func() (io.ReadCloser, error) { return nil, errStopped })
	_, err := reader.Read(make([]byte, 1))
	assert.ErrorIs(t, err, errStopped)
}

func TestReaderGivesUpWithItsContext(t *testing.T) {
	source, writer := io.Pipe()
	defer func() { _ = writer.Close() }()
	ctx, cancel := context.WithCancelCause(t.Context())
	reader := interrupt.NewReader(ctx, opens(source))
	go func() { _, _ = writer.Write([]byte("abc")) }()
	buffer := make([]byte, 10)
	n, err := reader.Read(buffer)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(buffer[:n]))
	cancel(errStopped)
	_, err = reader.Read(buffer)
	assert.ErrorIs(t, err, errStopped)
}

func TestContextEndsWithItsCancel(t *testing.T) {
	ctx, stop := interrupt.Context(t.Context())
	require.NoError(t, ctx.Err())
	stop()
	<-ctx.Done()
	var stopped *interrupt.Error
	assert.NotErrorAs(t, context.Cause(ctx), &stopped)
}
