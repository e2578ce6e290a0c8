package source_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/source"
)

// tap is a source that gives so many bytes at once, and has been waited for
// when it was read while it was not ready.
type tap struct {
	io.Reader
	most   int
	ready  bool
	waited bool
}

func (s *tap) Ready() bool { return s.ready }

func (s *tap) Read(p []byte) (int, error) {
	s.waited = s.waited || !s.ready
	return s.Reader.Read(p[:min(s.most, len(p))])
}

const numberedLines = 50_000

// numbered are lines that differ.
func numbered() string {
	var text strings.Builder
	for i := range numberedLines {
		fmt.Fprintf(&text, `{"content": "number %d"}`+"\n", i)
	}
	return text.String()
}

// begun is a reader that has read the first line of a source.
func begun(t *testing.T, src io.Reader) *source.Reader {
	t.Helper()
	reader := source.NewReader(src, source.Options{Form: source.FormJSONL})
	_, err := reader.Next()
	require.NoError(t, err)
	return reader
}

func TestAStretchGrowsByWholeLines(t *testing.T) {
	input := numbered()
	for _, most := range []int{100, 999, 10_000, 1 << 20} {
		reader := begun(t, &tap{Reader: strings.NewReader(input), most: most, ready: true})
		var got []byte
		for {
			stretch, ok := reader.Ahead()
			if !ok {
				break
			}
			whole := bytes.Clone(stretch.Text)
			for more := stretch.Extend(); len(more) > 0; more = stretch.Extend() {
				whole = append(whole, more...)
				require.Equal(t, byte('\n'), more[len(more)-1])
			}
			require.Equal(t, string(whole), string(stretch.Text), "%d bytes at once", most)
			got = append(got, whole...)
			stretch.Pass(len(whole), bytes.Count(whole, []byte{'\n'}))
			reader.Pass(bytes.Count(whole, []byte{'\n'}), stretch.At)
		}
		_, err := reader.Next()
		require.Equal(t, io.EOF, err)
		assert.Equal(t, len(input), len(got)+strings.Index(input, "\n")+1, "%d bytes at once", most)
		assert.True(t, strings.HasSuffix(input, string(got)), "%d bytes at once", most)
	}
}

// What was passed already stays passed, and what was read ahead is not lost
// where somebody stops before it.
func TestAStretchGrowsWhileItIsPassed(t *testing.T) {
	input := numbered()
	reader := begun(t, &tap{Reader: strings.NewReader(input), most: 5_000, ready: true})
	stretch, ok := reader.Ahead()
	require.True(t, ok)
	size := bytes.IndexByte(stretch.Text, '\n') + 1
	rest := bytes.Clone(stretch.Text[size:])
	stretch.Pass(size, 1)
	added := stretch.Extend()
	require.NotEmpty(t, added)
	assert.Equal(t, string(rest)+string(added), string(stretch.Text))
	assert.Equal(t, source.Position{Offset: int64(strings.Index(input, "\n") + 1 + size), Line: 3, Column: 1}, stretch.At)

	reader.Pass(1, stretch.At)
	for i := 2; i < numberedLines; i++ {
		rec, err := reader.Next()
		require.NoError(t, err)
		require.Equal(t, i, rec.Index)
		require.Equal(t, fmt.Sprintf("number %d", i), rec.Root.Member("content").Text())
	}
}

func TestAStretchNeverWaits(t *testing.T) {
	src := &tap{Reader: strings.NewReader(numbered()), most: 5_000, ready: true}
	reader := begun(t, src)
	stretch, ok := reader.Ahead()
	require.True(t, ok)
	require.NotEmpty(t, stretch.Extend())
	src.ready = false
	assert.Empty(t, stretch.Extend())
	assert.False(t, src.waited)

	reader = begun(t, strings.NewReader(numbered()))
	stretch, ok = reader.Ahead()
	require.True(t, ok)
	assert.Empty(t, stretch.Extend(), "of a source that does not say whether it is ready")
}
