package blocks_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// The chunks of a text do not count, not even those that divide a surrogate pair.
func TestTextFromChunks(t *testing.T) {
	const high, low = "\xed\xa0\xbd", "\xed\xb8\x80"
	want := blocks.TextOf([]byte("a😀b" + high))
	for _, chunks := range [][]string{{"a😀b" + high}, {"a" + high + low + "b", high}, {"a" + high, low, "b", "", high}} {
		b := blocks.NewTextBuilder(100, 10)
		for _, chunk := range chunks {
			b.Add([]byte(chunk))
		}
		text := b.Text()
		assert.True(t, text.Equal(&want), "%q", chunks)
		whole, ok := text.Whole()
		assert.True(t, ok)
		assert.Equal(t, string(want.Head), string(whole))
		assert.Equal(t, "b"+high, string(text.End(2)))
	}
}

// Of a long text the beginning and the end are kept, however it is divided. One that is
// as long as the limit is kept as a whole.
func TestLongText(t *testing.T) {
	text := strings.Repeat("0123456789", 20)
	for _, size := range []int{1, 7, 64, 200} {
		b := blocks.NewTextBuilder(95, 12)
		b.Add([]byte("dropped"))
		src, err := source.NewReader(strings.NewReader(`{"format": "reasoning", "content": "", "replace": true}`), source.Options{Form: source.FormJSONL}).Next()
		require.NoError(t, err)
		b.AddContent(lmc.NewRecord(src))
		for i := 0; i < len(text); i += size {
			b.Add([]byte(text[i:min(i+size, len(text))]))
		}
		got := b.Text()
		_, whole := got.Whole()
		assert.False(t, whole)
		assert.Equal(t, text[:47], string(got.Head), size)
		assert.Equal(t, text[188:], string(got.Tail), size)
		assert.Equal(t, "789", string(got.End(3)))
		want := blocks.TextOf([]byte(text))
		assert.True(t, got.Equal(&want))
		assert.EqualValues(t, len("dropped"), got.First, "the first chunk is the one that was replaced")
	}
	b := blocks.NewTextBuilder(95, 12)
	b.Add([]byte(text[:95]))
	got := b.Text()
	whole, ok := got.Whole()
	assert.True(t, ok)
	assert.Equal(t, text[:95], string(whole))
	b = blocks.NewTextBuilder(95, 0)
	b.Add([]byte(text))
	got = b.Text()
	assert.Empty(t, got.End(3), "no end is kept")
	b = blocks.NewTextBuilder(20, 30)
	b.Add([]byte(text[:25]))
	got = b.Text()
	_, ok = got.Whole()
	assert.False(t, ok, "longer than the limit, although its end has all of it")
	assert.Equal(t, text[:25], string(got.Tail))
}

// The pairs are those that are worth most, and a block that is not in both lists
// does not disturb the others.
func TestAligner(t *testing.T) {
	for _, test := range []struct {
		a, b, want string
		exact      bool
	}{
		{"abc", "abc", "[{0 0 false} {1 1 false} {2 2 false}]", true},
		{"abc", "xbc", "[{1 1 false} {2 2 false}]", true},
		{"aXb", "xb", "[{1 0 true}]", true}, // joined: X is x and b, which counts more than b alone
		{"", "ab", "[]", true},
		{"abcd", "aabd", "[{0 0 false} {1 2 false} {3 3 false}]", false},
	} {
		a := &blocks.Aligner{
			Worth: func(i, j int) int32 {
				if test.a[i] == test.b[j] {
					return 10
				}
				return 0
			},
			Joined: func(i, j int) int32 {
				if test.a[i] == 'X' && test.b[j] == 'x' {
					return 15
				}
				return 0
			},
		}
		var pairs []blocks.Pair
		if test.exact {
			pairs = a.Exact(len(test.a), len(test.b))
		} else {
			for i := range test.a {
				a.A = append(a.A, blocks.Hash{test.a[i]})
			}
			for j := range test.b {
				a.B = append(a.B, blocks.Hash{test.b[j]})
			}
			pairs = a.Align()
		}
		assert.Equal(t, test.want, fmt.Sprint(pairs), test.a+" "+test.b)
	}
}

func TestName(t *testing.T) {
	b := blocks.Block{Role: "computer", Type: "image", Format: "base64.png"}
	assert.Equal(t, "computer image (base64.png)", b.Name())
	assert.True(t, b.IsImage())
	b.Format = "path"
	assert.False(t, b.IsImage())
}
