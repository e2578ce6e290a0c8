package follow_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/follow"
)

const patience = 20 * time.Second

// followed is a file that is followed in the background.
type followed struct {
	path   string
	reader *follow.Reader
	stop   context.CancelCauseFunc
	ended  chan error

	mu      sync.Mutex
	text    bytes.Buffer
	reasons []string
}

var errStop = errors.New("stop")

func start(t *testing.T, path string) *followed {
	t.Helper()
	ctx, stop := context.WithCancelCause(t.Context())
	f := &followed{path: path, stop: stop, ended: make(chan error, 1)}
	f.reader = follow.NewReader(ctx, path, func(reason string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.reasons = append(f.reasons, reason)
	})
	go func() {
		p := make([]byte, 7)
		for {
			n, err := f.reader.Read(p)
			f.mu.Lock()
			f.text.Write(p[:n])
			f.mu.Unlock()
			if err != nil {
				f.ended <- err
				return
			}
		}
	}()
	return f
}

func (f *followed) read() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.text.String()
}

func (f *followed) expect(t *testing.T, want string) {
	t.Helper()
	require.Eventually(t, func() bool { return f.read() == want }, patience, time.Millisecond, "want %q, have %q", want, f.read())
}

func (f *followed) end(t *testing.T) {
	t.Helper()
	f.stop(errStop)
	require.ErrorIs(t, <-f.ended, errStop)
	require.NoError(t, f.reader.Close())
}

func write(t *testing.T, path, text string, flag int) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o644)
	require.NoError(t, err)
	_, err = file.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

func TestFollowReadsWhatIsAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "one\n", 0)
	f := start(t, path)
	f.expect(t, "one\n")
	write(t, path, "tw", os.O_APPEND)
	f.expect(t, "one\ntw")
	write(t, path, "o\nthree, which is long\n", os.O_APPEND)
	f.expect(t, "one\ntwo\nthree, which is long\n")
	f.end(t)
	assert.Equal(t, []follow.Segment{{}}, f.reader.Segments())
}

func TestFollowWaitsForTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f := start(t, path)
	write(t, path, "one\n", 0)
	f.expect(t, "one\n")
	f.end(t)
	assert.Empty(t, f.reasons)
}

func TestFollowSurvivesRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "one\ntw", 0)
	f := start(t, path)
	f.expect(t, "one\ntw")
	require.NoError(t, os.Rename(path, path+".1"))
	write(t, path+".1", "o", os.O_APPEND) // its writer has it open still
	f.expect(t, "one\ntwo")
	write(t, path, "three\n", 0)
	f.expect(t, "one\ntwo\nthree\n")
	write(t, path, "four\n", os.O_APPEND)
	f.expect(t, "one\ntwo\nthree\nfour\n")
	f.end(t)
	assert.Equal(t, []string{"replaced"}, f.reasons)
	assert.Equal(t, []follow.Segment{{}, {Offset: 8, Lines: 2}}, f.reader.Segments())
}

func TestFollowSurvivesTruncation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "one\ntwo\n", 0)
	f := start(t, path)
	f.expect(t, "one\ntwo\n")
	require.NoError(t, os.Truncate(path, 0))
	require.Eventually(t, func() bool { f.mu.Lock(); defer f.mu.Unlock(); return len(f.reasons) == 1 }, patience, time.Millisecond)
	write(t, path, "three\n", os.O_APPEND)
	f.expect(t, "one\ntwo\nthree\n")
	f.end(t)
	assert.Equal(t, []string{"truncated"}, f.reasons)
	assert.Equal(t, []follow.Segment{{}, {Offset: 8, Lines: 2}}, f.reader.Segments())
}

func TestFollowRefusesADirectory(t *testing.T) {
	r := follow.NewReader(t.Context(), t.TempDir(), func(string) {})
	_, err := r.Read(make([]byte, 1))
	require.ErrorContains(t, err, "not a regular file")
	require.NoError(t, r.Close())
}
