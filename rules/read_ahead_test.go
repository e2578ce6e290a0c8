package rules_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// counted is a source that never waits, and counts what was read of it.
type counted struct {
	*strings.Reader
	read int // bytes
}

func (*counted) Ready() int { return math.MaxInt }

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

// newLayouts are records of which every hundredth has a layout of its own, so
// that whoever finds lines ahead stops there.
func newLayouts() (text string, ends []int) {
	var out strings.Builder
	for i := range 60_000 {
		gap := "  "
		if n := i / 100; i%100 == 0 {
			gap = strings.Repeat(" ", 3+n%30) + "\t" + strings.Repeat(" ", n/30)
		}
		role := []string{"user", "assistant"}[i%2] // no run of one layout
		fmt.Fprintf(&out, `{"role": "%s",%s"type": "message", "content": "number %d of a long answer"}`+"\n", role, gap, i)
		ends = append(ends, out.Len())
	}
	return out.String(), ends
}

// What is read ahead does not grow with the input, however often whoever finds
// lines has to stop and begins again.
func TestReadingAheadIsBounded(t *testing.T) {
	text, ends := newLayouts()
	input, judged, most := &counted{Reader: strings.NewReader(text)}, 0, 0
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter", Kind: "transcript"}),
		lint.WithProgress(func(records int) {
			judged += records
			most = max(most, input.read-ends[judged-1])
		}))
	for finding, err := range linter.Lint(context.Background(), "transcript.jsonl", input) {
		require.NoError(t, err)
		require.Fail(t, "the records are sound", finding.Message)
	}
	require.Equal(t, len(text), input.read)
	require.Len(t, ends, judged)
	require.Less(t, most, 2<<20)
}

// bursts is a source that has so many bytes ready at a time, and keeps whoever
// reads on behind them waiting.
type bursts struct {
	*strings.Reader
	size, left int // bytes
}

func (b *bursts) Ready() int { return b.left }

func (b *bursts) Read(p []byte) (int, error) {
	if b.left == 0 {
		b.left = b.size
	}
	n, err := b.Reader.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// Whoever finds lines ahead may come to where reading would have to wait, again
// and again.
func TestReadingAheadOfASourceThatWaits(t *testing.T) {
	line := func(role string) string {
		return fmt.Sprintf(`{"role": "%s", "type": "message", "content": "a part of a long answer"}`+"\n", role)
	}
	text := strings.Repeat(line("user")+line("assistant"), 30_000)
	for _, size := range []int{64 << 10, 200 << 10, 500 << 10, 1 << 20} {
		judged := 0
		linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{Dialect: "interpreter", Kind: "transcript"}),
			lint.WithProgress(func(records int) { judged += records }))
		for finding, err := range linter.Lint(context.Background(), "transcript.jsonl", &bursts{Reader: strings.NewReader(text), size: size}) {
			require.NoError(t, err)
			require.Fail(t, "the records are sound", finding.Message)
		}
		require.Equal(t, 60_000, judged)
	}
}
