package source_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// tap is a source that gives so many bytes at once, and has been waited for
// when it was read while it was not ready.
type tap struct {
	io.Reader
	most   int
	ready  bool
	waited bool
}

func (s *tap) Ready() int {
	if s.ready {
		return s.most
	}
	return 0
}

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
	reader := embedded.NewReader(src, source.Options{Form: source.FormJSONL})
	_, err := reader.Next()
	require.NoError(t, err)
	return reader
}

// What a feed gives is what reading gives, with as many texts in use as it
// allows.
func TestAFeedGivesWholeLines(t *testing.T) {
	input := numbered()
	for _, most := range []int{100, 999, 10_000, 1 << 20} {
		reader := begun(t, &tap{Reader: strings.NewReader(input), most: most, ready: true})
		got := input[:strings.IndexByte(input, '\n')+1]
		for stretch, ok := reader.Peek(); ok; stretch, ok = reader.Peek() {
			feed := stretch.Feed()
			inUse, size, records := [][]byte{stretch.Text}, 0, 0
			for more := true; len(inUse) > 0; inUse = inUse[1:] {
				for more && len(inUse) < source.PrefetchBuffers+1 {
					text := feed.Next()
					if more = text != nil; more {
						require.Equal(t, byte('\n'), text[len(text)-1])
						inUse = append(inUse, text)
					}
				}
				got += string(inUse[0])
				size += len(inUse[0])
				records += bytes.Count(inUse[0], []byte{'\n'})
			}
			reader.Advance(records, source.Position{Offset: stretch.At.Offset + int64(size)})
		}
		_, err := reader.Next()
		require.Equal(t, io.EOF, err)
		require.Equal(t, input, got, "%d bytes at once", most)
	}
}

// What a feed read is not lost where somebody stops before it.
func TestAFeedIsLeftAnywhere(t *testing.T) {
	input := numbered()
	first := strings.IndexByte(input, '\n') + 1
	for _, texts := range []int{0, 1, 4, 5, 9, 20, 100} {
		for _, left := range []int{0, 1, 4} {
			reader := begun(t, &tap{Reader: strings.NewReader(input), most: 1 << 20, ready: true})
			stretch, ok := reader.Peek()
			require.True(t, ok)
			feed := stretch.Feed()
			sizes := []int{len(stretch.Text)}
			for range texts {
				sizes = append(sizes, len(feed.Next()))
			}
			passed := 0
			for _, size := range sizes[:max(0, len(sizes)-left)] {
				passed += size
			}
			passed = strings.LastIndexByte(input[:first+passed], '\n') + 1 - first
			records := strings.Count(input[first:first+passed], "\n")
			reader.Advance(records, source.Position{Offset: stretch.At.Offset + int64(passed)})
			for i := records + 1; i < numberedLines; i++ {
				rec, err := reader.Next()
				require.NoError(t, err)
				require.Equal(t, i, rec.Index)
				require.Equal(t, i+1, rec.Start.Line)
				require.Equal(t, fmt.Sprintf("number %d", i), rec.Root.Member("content").Text())
			}
			_, err := reader.Next()
			require.Equal(t, io.EOF, err)
		}
	}
}

func TestAFeedNeverWaits(t *testing.T) {
	src := &tap{Reader: strings.NewReader(numbered()), most: 5_000, ready: true}
	reader := begun(t, src)
	stretch, ok := reader.Peek()
	require.True(t, ok)
	feed := stretch.Feed()
	require.NotEmpty(t, feed.Next())
	src.ready = false
	assert.Empty(t, feed.Next())
	assert.False(t, src.waited)

	reader = begun(t, strings.NewReader(numbered()))
	stretch, ok = reader.Peek()
	require.True(t, ok)
	feed = stretch.Feed()
	assert.Empty(t, feed.Next(), "of a source that does not say whether it is ready")
}
