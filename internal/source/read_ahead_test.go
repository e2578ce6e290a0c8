package source_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// longest is how long a text may be for its list to be read ahead.
const longest = 2_000_000

// longList is a list of texts, short ones and long ones of most bytes at most.
func longList(most int) string {
	var list strings.Builder
	for i, size := range []int{10, 3_000_000, 700_000, 700_000, 900_000, 10, 1_500_000, 1, 400_000, 400_000, 9_000_000, 800_000, 30_000} {
		fmt.Fprintf(&list, `%c{"content": "%d %s"}`, ",["[min(1, max(0, 1-i))], i, strings.Repeat("a", min(size, most)))
		for range 1000 {
			fmt.Fprintf(&list, `, {"content": "%s"}`, strings.Repeat("b", i*100))
		}
	}
	return list.String() + "]"
}

// eager is a source that never keeps anybody waiting.
type eager struct {
	io.Reader
	most int // bytes that one call gives
}

func (s eager) Ready() int                 { return math.MaxInt }
func (s eager) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(s.most, len(p))]) }

// passAll goes through a list, passing over elements as somebody does who knows
// them, and returns what it saw up to the error that ends it.
func passAll(t *testing.T, reader *source.Reader) (string, error) {
	t.Helper()
	var seen strings.Builder
	rec, err := reader.Next()
	require.NoError(t, err)
	layout := source.NewLayout(rec.Clone(), rec.Clone().Root.Member("content"))
	for err == nil {
		stretch, ok := reader.Peek()
		hole, size, _ := layout.Match(stretch.Text)
		switch {
		case size > 0:
			fmt.Fprintf(&seen, "%d %+v %.6s %d\n", stretch.Number, stretch.At, stretch.Text[hole.From:], hole.To-hole.From)
			stretch.PassElement(&layout, hole, size)
			reader.Advance(1, stretch.At)
		case !ok || !reader.WaitForMore(len(stretch.Text)):
			_, err = reader.Next()
		}
	}
	return seen.String(), err
}

func TestReadingAheadChangesNothing(t *testing.T) {
	for _, size := range []int{longest, 2_500_000, 20_000_000} {
		input := longList(size)
		want, err := passAll(t, source.NewReader(strings.NewReader(input), source.Options{}))
		require.Equal(t, io.EOF, err)
		require.Equal(t, 13*1001-1, strings.Count(want, "\n"))
		for _, most := range []int{999, 100_000, 1 << 20} {
			got, err := passAll(t, source.NewReader(eager{strings.NewReader(input), most}, source.Options{}))
			assert.Equal(t, io.EOF, err)
			assert.Equal(t, want, got, "texts of up to %d bytes, %d bytes at once", size, most)
		}
	}
}

// What is said to be base64 is, and going through a list by what is said finds
// the same as looking at all of it.
func TestWhatReadingAheadIsSureOf(t *testing.T) {
	input := imageList(70)
	want, err := passAll(t, source.NewReader(strings.NewReader(input), source.Options{}))
	require.Equal(t, io.EOF, err)
	require.Equal(t, 70, strings.Count(want, "\n"))
	reader := source.NewReader(eager{strings.NewReader(input), 1 << 20}, source.Options{})
	got, err := passImages(t, reader)
	assert.Equal(t, io.EOF, err)
	assert.Equal(t, want, got)
}

// imageList is a list of long texts, most of them base64.
func imageList(n int) string {
	var list strings.Builder
	list.WriteString(`[{"content": "none"}`)
	for i := range n {
		text := strings.Repeat("QUJD", 50_000+i*1000)
		if i%4 == 3 {
			text = text[:i*4000] + "*" + text[i*4000:]
		}
		fmt.Fprintf(&list, `, {"content": "%s=="}`, text)
	}
	return list.String() + "]"
}

// passImages is passAll by somebody who takes every text for an image.
func passImages(t *testing.T, reader *source.Reader) (string, error) {
	t.Helper()
	var seen strings.Builder
	_, err := reader.Next()
	require.NoError(t, err)
	image, err := source.NewReader(strings.NewReader(`{"content": "`+strings.Repeat("Q", 100)+`"}`), source.Options{}).Next()
	require.NoError(t, err)
	layout := source.NewLayout(image, image.Root.Member("content"))
	var half source.Placeholder
	for err == nil {
		stretch, ok := reader.Peek()
		if sure := stretch.Base64Until; sure > 0 {
			assert.GreaterOrEqual(t, source.CountBase64(stretch.Text[sure:]), source.Base64CheckBytes)
		}
		if stretch.Base64Until > 0 && stretch.Base64Until == half.From+half.Base64 {
			half.Base64 += source.Base64CheckBytes
		}
		var hole source.Placeholder
		var size int
		if half.Base64 > 0 {
			hole, size, _ = layout.Resume(stretch.Text, half)
		} else {
			hole, size, _ = layout.Match(stretch.Text)
		}
		switch half = (source.Placeholder{}); {
		case size > 0:
			fmt.Fprintf(&seen, "%d %+v %.6s %d\n", stretch.Number, stretch.At, stretch.Text[hole.From:], hole.To-hole.From)
			stretch.PassElement(&layout, hole, size)
			reader.Advance(1, stretch.At)
		case ok && hole.IsPartial(stretch.Text) && reader.WaitForMore(1):
			half = hole
		case !ok || !reader.WaitForMore(len(stretch.Text)):
			_, err = reader.Next()
		}
	}
	return seen.String(), err
}

// A source that might have to wait is read when it is needed, and no earlier.
func TestReadingAheadNeverWaits(t *testing.T) {
	src := strings.NewReader(longList(longest))
	reader := source.NewReader(&tap{Reader: src, most: 10_000, ready: true}, source.Options{})
	for range 2500 {
		stretch, ok := reader.Peek()
		require.True(t, ok)
		assert.Less(t, src.Size()-int64(src.Len())-stretch.At.Offset-int64(len(stretch.Text)), int64(20_000))
		_, err := reader.Next()
		require.NoError(t, err)
	}
}

func TestReadingAheadEndsWithTheSource(t *testing.T) {
	broken := errors.New("broken")
	for name, fail := range map[string]func() (int, error){
		"error": func() (int, error) { return 0, broken },
		"panic": func() (int, error) { panic(broken) },
	} {
		t.Run(name, func(t *testing.T) {
			src := io.MultiReader(strings.NewReader(longList(longest)[:12_000_000]), readFunc(fail))
			_, err := passAll(t, source.NewReader(eager{src, 1 << 20}, source.Options{}))
			assert.ErrorContains(t, err, "broken")
			assert.ErrorContains(t, err, "byte 12000000")
		})
	}
}

type readFunc func() (int, error)

func (f readFunc) Read([]byte) (int, error) { return f() }

// A reader that is reset leaves nobody behind who reads on.
func TestReadingAheadEndsWithAReset(t *testing.T) {
	src := strings.NewReader(longList(longest))
	reader := source.NewReader(eager{src, 1 << 20}, source.Options{})
	for range 2500 {
		_, ok := reader.Peek()
		require.True(t, ok)
		_, err := reader.Next()
		require.NoError(t, err)
	}
	reader.Reset(iotest.ErrReader(io.ErrUnexpectedEOF))
	left := src.Len()
	assert.NotZero(t, left)
	_, err := reader.Next()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, left, src.Len())
}
