package aside_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/aside"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

var errFull = errors.New("no space left")

// calls notes what it is told, and fails at one message.
type calls struct {
	told    []string
	failAt  string
	panicAt string
}

func (c *calls) add(what string) error {
	switch what {
	case c.failAt:
		return errFull
	case c.panicAt:
		panic("odd")
	}
	c.told = append(c.told, what)
	return nil
}

func (c *calls) Begin(report.Run) error       { return c.add("begin") }
func (c *calls) Finding(f lint.Finding) error { return c.add(f.Message) }
func (c *calls) File(f report.File) error     { return c.add("file " + f.Path) }
func (c *calls) End(report.Summary) error     { return c.add("end") }

func numbered(i int) lint.Finding { return lint.Finding{Message: fmt.Sprint(i)} }

func messages(n int) (want []string) {
	for i := range n {
		want = append(want, fmt.Sprint(i))
	}
	return want
}

func TestOrderIsKept(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 10_000} {
		to := &calls{}
		r := aside.NewReporter(to)
		require.NoError(t, r.Begin(report.Run{}))
		for i := range n {
			require.NoError(t, r.Finding(numbered(i)))
		}
		require.NoError(t, r.File(report.File{Result: lint.Result{Path: "x"}}))
		require.NoError(t, r.Finding(numbered(-1)))
		require.NoError(t, r.End(report.Summary{}))
		want := append([]string{"begin"}, messages(n)...)
		assert.Equal(t, append(want, "file x", "-1", "end"), to.told)
	}
}

func TestFlushWritesWhatWaits(t *testing.T) {
	to := &calls{}
	r := aside.NewReporter(to)
	require.NoError(t, r.Flush())
	for i := range 300 {
		require.NoError(t, r.Finding(numbered(i)))
	}
	require.NoError(t, r.Flush())
	assert.Equal(t, messages(300), to.told)
}

// A first error stays, and nothing is written behind it.
func TestAnErrorIsToldLater(t *testing.T) {
	to := &calls{failAt: "100"}
	r := aside.NewReporter(to)
	var err error
	for i := 0; err == nil && i < 1_000; i++ {
		err = r.Finding(numbered(i))
	}
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, r.Flush(), errFull)
	require.ErrorIs(t, r.File(report.File{}), errFull)
	require.ErrorIs(t, r.End(report.Summary{}), errFull)
	assert.Equal(t, messages(100), to.told)
}

func TestAPanicIsAnError(t *testing.T) {
	for _, n := range []int{20, 1_000} {
		r := aside.NewReporter(&calls{panicAt: "10"})
		for i := range n {
			_ = r.Finding(numbered(i))
		}
		assert.EqualError(t, r.Flush(), "internal error: odd")
	}
}

func TestFlushFromAside(t *testing.T) {
	to := &calls{}
	r := aside.NewReporter(to)
	var group sync.WaitGroup
	group.Go(func() {
		for range 1_000 {
			_ = r.Flush()
		}
	})
	for i := range 5_000 {
		require.NoError(t, r.Finding(numbered(i)))
	}
	group.Wait()
	require.NoError(t, r.Flush())
	assert.Equal(t, messages(5_000), to.told)
}
