package ordered_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/ordered"
)

// nowhere is an output that costs nothing.
type nowhere struct{}

func (nowhere) Item(string) error      { return nil }
func (nowhere) Done(int, string) error { return nil }
func (nowhere) Pause() error           { return nil }

// What a task and an item cost beside the work itself.
func BenchmarkRun(b *testing.B) {
	for _, workers := range []int{1, 2, 8} {
		for _, items := range []int{0, 1, 100} {
			b.Run(fmt.Sprintf("workers=%d/items=%d", workers, items), func(b *testing.B) {
				b.ReportAllocs()
				require.NoError(b, ordered.Run(b.Context(), b.N, workers, func(_ context.Context, task *task) string {
					for range items {
						_ = task.Emit("item")
					}
					return ""
				}, nowhere{}))
			})
		}
	}
}
