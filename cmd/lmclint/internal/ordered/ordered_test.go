package ordered_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
)

// emit passes on an item of a task.
type emit = func(string) error

// lines is an output that writes down what it is given.
type lines struct {
	mu     sync.Mutex
	got    []string // guarded by mu while a run goes on
	failAt string   // the line that cannot be written
}

var errFull = errors.New("no space left")

func (l *lines) add(line string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line == l.failAt {
		return errFull
	}
	l.got = append(l.got, line)
	return nil
}

func (l *lines) output() ordered.Output[string, string] {
	return ordered.Output[string, string]{
		Item: l.add,
		Done: func(task int, result string) error { return l.add(fmt.Sprintf("%d %s", task, result)) },
	}
}

// expected is what tasks with so many items each give.
func expected(items []int) (want []string) {
	for i, n := range items {
		for k := range n {
			want = append(want, fmt.Sprintf("%d.%d", i, k))
		}
		want = append(want, fmt.Sprintf("%d done", i))
	}
	return want
}

func TestAnyNumberOfWorkersGivesTheSame(t *testing.T) {
	items := make([]int, 3000)
	for i := range items {
		items[i] = rand.IntN(4)
	}
	items[1000] = 3 * ordered.Held
	items[1001] = 2 * ordered.Held
	for _, workers := range []int{1, 2, 8, 5000} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			var out lines
			err := ordered.Run(t.Context(), len(items), workers, func(_ context.Context, task int, emit emit) string {
				if rand.IntN(10) == 0 {
					time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
				}
				for k := range items[task] {
					if err := emit(fmt.Sprintf("%d.%d", task, k)); err != nil {
						return err.Error()
					}
				}
				return "done"
			}, out.output())
			require.NoError(t, err)
			assert.Equal(t, expected(items), out.got)
		})
	}
}

func TestNoTasks(t *testing.T) {
	require.NoError(t, ordered.Run(t.Context(), 0, 8, func(context.Context, int, emit) string { return "" }, (&lines{}).output()))
}

// The first unfinished task is heard at once, a later one when its turn comes.
func TestTheFirstTaskIsHeardAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lines
		err := ordered.Run(t.Context(), 3, 3, func(_ context.Context, task int, emit emit) string {
			for range 2 {
				_ = emit(fmt.Sprintf("%d at %ds", task, seconds()))
				time.Sleep(time.Duration(10-3*task) * time.Second)
			}
			return fmt.Sprintf("ends at %ds", seconds())
		}, out.output())
		require.NoError(t, err)
		assert.Equal(t, []string{
			"0 at 0s", "0 at 10s", "0 ends at 20s",
			"1 at 0s", "1 at 7s", "1 ends at 14s",
			"2 at 0s", "2 at 4s", "2 ends at 8s",
		}, out.got)
	})
}

func seconds() int { return time.Now().Second() }

// What a task emitted before its turn comes is heard then, though it emits nothing more.
func TestItemsAreHeardWhenTheTurnComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out lines
		err := ordered.Run(t.Context(), 2, 2, func(_ context.Context, task int, emit emit) string {
			if task == 0 {
				time.Sleep(time.Second)
				return "done"
			}
			_ = emit("early")
			time.Sleep(time.Minute)
			synctest.Wait()
			out.mu.Lock()
			defer out.mu.Unlock()
			assert.Equal(t, []string{"0 done", "early"}, out.got)
			return "done"
		}, out.output())
		require.NoError(t, err)
		assert.Equal(t, []string{"0 done", "early", "1 done"}, out.got)
	})
}

// What waits for its turn is bounded, in items and in tasks.
func TestWorkersDoNotRunFarAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var begun, emitted atomic.Int64
		release := make(chan struct{})
		go func() {
			synctest.Wait()
			assert.Equal(t, int64(ordered.Held), emitted.Load())
			assert.Equal(t, int64(4), begun.Load(), "all that have anything to say wait")
			close(release)
		}()
		err := ordered.Run(t.Context(), 4, 4, func(_ context.Context, task int, emit emit) string {
			begun.Add(1)
			if task == 0 {
				<-release
			}
			for range ordered.Held {
				assert.NoError(t, emit("x"))
				emitted.Add(1)
			}
			return ""
		}, (&lines{}).output())
		require.NoError(t, err)
	})
	synctest.Test(t, func(t *testing.T) {
		var begun atomic.Int64
		release := make(chan struct{})
		go func() {
			synctest.Wait()
			assert.Equal(t, int64(ordered.Ahead), begun.Load())
			close(release)
		}()
		err := ordered.Run(t.Context(), 3*ordered.Ahead, 4, func(_ context.Context, task int, emit emit) string {
			begun.Add(1)
			if task == 0 {
				<-release
			}
			return ""
		}, (&lines{}).output())
		require.NoError(t, err)
		assert.Equal(t, int64(3*ordered.Ahead), begun.Load())
	})
}

func TestAnErrorOfTheOutputEndsTheRun(t *testing.T) {
	for _, workers := range []int{1, 4} {
		for _, failAt := range []string{"5.0", "5 done"} {
			out := lines{failAt: failAt}
			var begun atomic.Int64
			err := ordered.Run(t.Context(), 1<<30, workers, func(_ context.Context, task int, emit emit) string {
				begun.Add(1)
				for range 2 * ordered.Held {
					if emit(fmt.Sprintf("%d.0", task)) != nil {
						return "stopped"
					}
					if task < 5 {
						break
					}
				}
				return "done"
			}, out.output())
			require.ErrorIs(t, err, errFull)
			assert.Less(t, begun.Load(), int64(20))
			assert.NotContains(t, out.got, "6 done")
		}
	}
}

// When the context ends, what is at work is still handed over, in order.
func TestTheEndOfTheContext(t *testing.T) {
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var out lines
		err := ordered.Run(ctx, 1<<30, workers, func(ctx context.Context, task int, emit emit) string {
			_ = emit("item")
			if task == 100 {
				cancel(errFull)
			}
			if task >= 100 {
				<-ctx.Done()
				return context.Cause(ctx).Error()
			}
			return "done"
		}, out.output())
		require.NoError(t, err)
		assert.Contains(t, out.got, "99 done")
		assert.Contains(t, out.got, "100 no space left")
		assert.LessOrEqual(t, len(out.got), 2*(100+workers))
	}
}

// A worker that waits until less waits is not forgotten when the context ends.
func TestTheEndOfTheContextEndsWaiting(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gaveUp := make(chan struct{})
	var late error
	err := ordered.Run(ctx, 2, 2, func(_ context.Context, task int, emit emit) string {
		if task == 0 {
			<-gaveUp
			return ""
		}
		defer close(gaveUp)
		for range ordered.Held {
			assert.NoError(t, emit("x"))
		}
		time.AfterFunc(time.Millisecond, func() { cancel(errFull) })
		late = emit("one too many")
		return ""
	}, (&lines{}).output())
	require.NoError(t, err)
	assert.ErrorIs(t, late, errFull)
}
