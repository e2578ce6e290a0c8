package input_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source/input"
)

func TestLineEndsSegmentAtLineFeed(t *testing.T) {
	in := input.New(iotest.OneByteReader(strings.NewReader("  ab \ncd")))
	line := in.Line()
	c, ok := line.Peek()
	require.True(t, ok)
	require.Equal(t, byte('a'), c)
	require.Equal(t, "ab ", string(line.Load(10)))
	require.Equal(t, byte(0), line.FollowedBy(2))
	require.Equal(t, byte('c'), in.All().FollowedBy(2))
	line.Discard()
	require.True(t, in.NextLine())
	require.Equal(t, 2, in.Pos.Line)
	require.Equal(t, 1, in.Pos.Column)
	require.Equal(t, "cd", string(line.Load(10)))
}

func TestNextAfterLooksBeyondLine(t *testing.T) {
	in := input.New(strings.NewReader("a\n \nb"))
	in.Line().Load(1)
	at, found := in.NextAfter(1)
	require.True(t, found)
	require.Equal(t, 4, at)
	require.False(t, in.IsBlankAfter(1))
	require.True(t, in.IsBlankAfter(5))
}

func TestDecompressReadsGzip(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte("{}"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.True(t, input.IsCompressed(packed.Bytes()))
	in := input.New(&packed)
	require.NoError(t, in.Decompress(input.DefaultMaxUnpackedBytes))
	require.Equal(t, "{}", string(in.All().Load(10)))
	require.Equal(t, io.EOF, in.End())
}

func TestForeignEncodingIsNamed(t *testing.T) {
	for text, want := range map[string]string{"{\x00\"\x00": "UTF-16", "\xff\xfe\x00\x00": "UTF-32", "\x00{\x00\"": "UTF-16", "{}": "", "": ""} {
		in := input.New(iotest.OneByteReader(strings.NewReader(text)))
		require.Equal(t, want, in.ForeignEncoding(), "%q", text)
	}
}

func TestReadErrorHasPositionAfterLastByte(t *testing.T) {
	broken := errors.New("disk on fire")
	in := input.New(io.MultiReader(strings.NewReader("a\nbc"), iotest.ErrReader(broken)))
	require.Equal(t, "a\nbc", string(in.All().Load(10)))
	err := in.All().Failure()
	require.ErrorIs(t, err, broken)
	var at *input.ReadError
	require.ErrorAs(t, err, &at)
	require.Equal(t, int64(4), at.At.Offset)
	require.Equal(t, 2, at.At.Line)
	require.Equal(t, 3, at.At.Column)
}
