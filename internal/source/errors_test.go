package source_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/stretchr/testify/require"
)

var errBroken = errors.New("broken pipe")

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errBroken }

// An error of the input comes after all records before it, and says where it
// happened.
func TestReadErrors(t *testing.T) {
	const where = "reading stopped at line 2, column "
	tests := []struct {
		name, input string
		options     source.Options
		want        []string
		err         string
	}{
		{"at once", "", auto, nil, "reading stopped at line 1, column 1 (byte 0): broken pipe"},
		{"between lines", "{}\n", auto, []string{"0 1:1 {}"}, where + "1 (byte 3): broken pipe"},
		{"in a line", "{}\n{\"é", auto, []string{"0 1:1 {}"}, where + "4 (byte 7): broken pipe"},
		{"behind a whole object", "{}\n{}", auto, []string{"0 1:1 {}", "1 2:1 {}"}, where + "3 (byte 5): broken pipe"},
		{"in an array", "[{},\n{}, {\"a", auto, []string{"0/0 1:2 {}", "1/1 2:1 {}"}, where + "8 (byte 12): broken pipe"},
		{"before the bracket", "[{},\n{}", auto, []string{"0/0 1:2 {}", "1/1 2:1 {}"}, where + "3 (byte 7): broken pipe"},
		{"behind the bracket", "[{},\n{}]", auto, []string{"0/0 1:2 {}", "1/1 2:1 {}"}, where + "4 (byte 8): broken pipe"},
		{"in an envelope", "{\"messages\":[{}]\n,", auto, []string{"0/messages/0 1:14 {}"}, where + "2 (byte 18): broken pipe"},
		{"in an object over lines", "{\"a\":\n1", auto, nil, where + "2 (byte 7): broken pipe"},
		{"in the only text", "[\n{}", source.Options{Form: source.FormJSON}, []string{"0/0 2:1 {}"}, where + "3 (byte 4): broken pipe"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(test.input), iotest.OneByteReader(strings.NewReader(test.input))} {
				got := outcomeOf(io.MultiReader(in, &failing{}), test.options)
				require.Equal(t, test.want, got.Lines)
				require.EqualError(t, got.Err, test.err)
				require.ErrorIs(t, got.Err, errBroken)
			}
		})
	}
}

func TestCompressed(t *testing.T) {
	want := []string{`0 1:1 {"a":1}`, `1 2:1 {"b":2}`}
	lines := "{\"a\":1}\n{\"b\":2}\n"
	for name, packed := range map[string][]byte{
		"gzip": gzipped(lines), "gzip of two members": gzipped(lines[:3], lines[3:]), "zstd": zstandard(lines),
		"zstd of two frames": append(zstandard(lines[:3]), zstandard(lines[3:])...),
	} {
		for _, in := range []io.Reader{bytes.NewReader(packed), iotest.OneByteReader(bytes.NewReader(packed)), iotest.DataErrReader(bytes.NewReader(packed))} {
			got := outcomeOf(in, auto)
			require.NoError(t, got.Err, name)
			require.Equal(t, want, got.Lines, name)
		}
	}
}

// What can be unpacked of broken data is read.
func TestBrokenCompression(t *testing.T) {
	lines := strings.Repeat("{\"a\":\"some text\"}\n", 10_000)
	for name, packed := range map[string][]byte{"gzip": gzipped(lines), "zstd": zstandard(lines)} {
		whole := outcomeOf(bytes.NewReader(packed), auto)
		require.Len(t, whole.Lines, 10_000, name)

		cut := outcomeOf(bytes.NewReader(packed[:len(packed)-5]), auto)
		require.ErrorContains(t, cut.Err, name+" data is corrupt or cut off: ", name)
		require.Equal(t, whole.Lines[:len(cut.Lines)], cut.Lines, name)

		broken := outcomeOf(io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), &failing{}), auto)
		require.ErrorIs(t, broken.Err, errBroken, name)
		require.ErrorContains(t, broken.Err, "read "+name+" data: ", name)

		damaged := bytes.Clone(packed)
		for i := range 4 {
			damaged[len(damaged)-5-i] ^= 0xFF // of the checksum
		}
		require.ErrorContains(t, outcomeOf(bytes.NewReader(damaged), auto).Err, name+" data is corrupt or cut off: ", name)

		head := outcomeOf(bytes.NewReader(packed[:4]), auto)
		require.ErrorContains(t, head.Err, name+" data is corrupt or cut off: ", name)
		require.ErrorIs(t, head.Err, io.ErrUnexpectedEOF, name)
	}
}

// What is compressed shows in its first bytes; fewer leave it open.
func TestIsCompressed(t *testing.T) {
	for _, packed := range [][]byte{gzipped("{}"), zstandard("{}")} {
		for n := range packed {
			require.True(t, input.IsCompressed(packed[:n]), "%x", packed[:n])
		}
	}
	for _, text := range []string{"{", "[{", "data: {}", "('role',"} {
		require.False(t, input.IsCompressed([]byte(text)), text)
	}
}

// A compressed input that expands too much is not read to its end. The error is
// reported where reading stopped; the records before are valid.
func TestBomb(t *testing.T) {
	bomb := `{"a":1}` + "\n" + strings.Repeat(" ", 4<<20)
	options := source.Options{MaxUnpackedBytes: 64 << 10}
	for name, packed := range map[string][]byte{"gzip": gzipped(bomb), "zstd": zstandard(bomb)} {
		got := outcomeOf(bytes.NewReader(packed), options)
		require.NoError(t, got.Err, name)
		require.Len(t, got.Lines, 3, name)
		require.Equal(t, `0 1:1 {"a":1}`, got.Lines[0], name)
		require.Contains(t, got.Lines[2], "the "+name+" data expands to more than 500 times its size", name)
		require.NoError(t, outcomeOf(bytes.NewReader(packed), auto).Err, name)
	}
}

// A reader that gives neither bytes nor an error is given up.
func TestNoProgress(t *testing.T) {
	got := outcomeOf(iotest.TimeoutReader(&stuck{}), auto)
	require.Error(t, got.Err)
	require.ErrorIs(t, outcomeOf(&stuck{}, auto).Err, io.ErrNoProgress)
}

type stuck struct{}

func (*stuck) Read([]byte) (int, error) { return 0, nil }
