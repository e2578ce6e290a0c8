package pace_test

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/pace"
)

// percent is by how much the heap may grow now.
func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// becomes waits until collections have brought the percentage about.
func becomes(t *testing.T, want uint64) {
	t.Helper()
	require.Eventually(t, func() bool {
		runtime.GC()
		return percent() == want
	}, time.Minute, time.Millisecond)
}

func TestUsersOwnPace(t *testing.T) {
	for _, variable := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("GOGC", "")
			t.Setenv("GOMEMLIMIT", "")
			t.Setenv(variable, "70")
			before := percent()
			pace.Relax()
			assert.Equal(t, before, percent())
		})
	}
}

func TestLargeHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(before) })

	pace.Relax()
	assert.EqualValues(t, 250, percent())
	large := make([]byte, 32<<20)
	becomes(t, 100)
	runtime.KeepAlive(large)
	becomes(t, 250)
}
