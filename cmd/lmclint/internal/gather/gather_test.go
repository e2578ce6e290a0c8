package gather_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/gather"
)

var errFull = errors.New("no space left")

// calls keeps what each call of Write was given, and fails from one on.
type calls struct {
	texts  []string
	failAt int // counted from 1; 0 never fails
}

func (c *calls) Write(p []byte) (int, error) {
	c.texts = append(c.texts, string(p))
	if len(c.texts) == c.failAt {
		return 0, errFull
	}
	return len(p), nil
}

func TestNothingIsWrittenBeforeItHasTo(t *testing.T) {
	var out calls
	w := gather.NewWriter(&out)
	for _, text := range []string{"a", "b", "c"} {
		n, err := w.Write([]byte(text))
		require.NoError(t, err)
		assert.Equal(t, 1, n)
	}
	assert.Empty(t, out.texts)
	require.NoError(t, w.Flush())
	require.NoError(t, w.Flush(), "of nothing")
	assert.Equal(t, []string{"abc"}, out.texts)
}

func TestWhatIsWrittenAtOnceStaysTogether(t *testing.T) {
	var out calls
	w := gather.NewWriter(&out)
	line := strings.Repeat("x", 9_999) + "\n"
	for range 20 {
		_, err := w.Write([]byte(line))
		require.NoError(t, err)
	}
	long := strings.Repeat("y", 1<<20)
	_, err := w.Write([]byte(long))
	require.NoError(t, err)
	require.NoError(t, w.Flush())
	assert.Equal(t, strings.Repeat(line, 20)+long, strings.Join(out.texts, ""))
	assert.Len(t, out.texts, 5, "six lines a block, and the long text for itself")
	for _, text := range out.texts[:4] {
		assert.True(t, strings.HasSuffix(text, "\n"))
	}
}

func TestAnErrorStays(t *testing.T) {
	out := calls{failAt: 1}
	w := gather.NewWriter(&out)
	_, err := w.Write([]byte("a"))
	require.NoError(t, err)
	require.ErrorIs(t, w.Flush(), errFull)
	_, err = w.Write([]byte("b"))
	require.ErrorIs(t, err, errFull)
	require.ErrorIs(t, w.Flush(), errFull)
	assert.Len(t, out.texts, 1, "nobody tries again")
}

func TestALongTextThatFailsIsToldAtOnce(t *testing.T) {
	w := gather.NewWriter(&calls{failAt: 1})
	_, err := w.Write(make([]byte, 1<<20))
	assert.ErrorIs(t, err, errFull)
}

func TestFlushFromAside(t *testing.T) {
	var out calls
	w := gather.NewWriter(&out)
	var group sync.WaitGroup
	group.Go(func() {
		for range 1000 {
			_ = w.Flush()
		}
	})
	for range 1000 {
		_, err := w.Write([]byte("line\n"))
		require.NoError(t, err)
	}
	group.Wait()
	require.NoError(t, w.Flush())
	assert.Equal(t, strings.Repeat("line\n", 1000), strings.Join(out.texts, ""))
}
