package input_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source/input"
)

// file is a source that never blocks, so that it is unpacked by a goroutine. It
// panics after good bytes.
type file struct {
	src  io.Reader
	good int
}

func (f *file) Ready() int { return math.MaxInt }

func (f *file) Read(p []byte) (int, error) {
	if f.good == 0 {
		panic("out of order")
	}
	n, err := f.src.Read(p[:min(len(p), f.good)])
	f.good -= n
	return n, err
}

// unpack opens a compressed text of 4 MB of which the first bytes can be read,
// and returns a function that reads all of it.
func unpack(t *testing.T, good func(size int) int) (in *input.Input, all func() int) {
	t.Helper()
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	require.NoError(t, err)
	_, err = io.WriteString(w, strings.Repeat("0123456789abcde\n", 1<<18))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	made := input.New(&file{&packed, good(packed.Len())})
	require.NoError(t, made.Decompress(input.DefaultMaxUnpackedBytes))
	return &made, func() int {
		for made.Fetch() {
			continue
		}
		return len(made.Unread())
	}
}

func TestUnpackingAheadReadsAll(t *testing.T) {
	_, all := unpack(t, func(size int) int { return size + 1 })
	assert.Equal(t, 4<<20, all())
}

// A panic in the goroutine that unpacks reaches the reader, which reports it; in
// the goroutine it would end the program.
func TestPanicOfUnpackingAheadReachesTheReader(t *testing.T) {
	in, all := unpack(t, func(size int) int { return size / 2 })
	func() {
		defer func() {
			repeated, ok := recover().(*input.Panic)
			require.True(t, ok)
			assert.Equal(t, "out of order", repeated.Value)
			assert.Contains(t, string(repeated.Stack), "(*file).Read", "where the goroutine panicked")
		}()
		all()
	}()
	assert.Greater(t, len(in.Unread()), 1<<20, "what was unpacked before the panic")
	in.Reset(strings.NewReader("next"))
	require.True(t, in.Fetch())
	assert.Equal(t, "next", string(in.Unread()))
}

// Reset ends the goroutine even if much of the input was not read.
func TestResetEndsUnpackingAhead(t *testing.T) {
	in, _ := unpack(t, func(size int) int { return size + 1 })
	for len(in.Unread()) < 1<<20 {
		require.True(t, in.Fetch())
	}
	in.Reset(strings.NewReader("next"))
	require.True(t, in.Fetch())
	assert.Equal(t, "next", string(in.Unread()))
}
