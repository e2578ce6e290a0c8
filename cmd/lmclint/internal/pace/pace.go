// Package pace says how far the heap grows before it is collected.
//
// The runtime collects a heap that has doubled, or has reached 4 MiB. A run of
// a tenth of a second that has 2 MiB to keep is collected all the time: that
// costs more than the memory is worth. A large heap is left as the runtime
// has it, so that no input takes more than twice what is kept of it.
package pace

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	small   = 4 << 20 // bytes in use up to which a heap is a small one
	relaxed = 250     // percent that a small heap may grow by, and at least to 10 MiB
	usual   = 100     // percent that any other may grow by
)

// Relax lets the heap grow further as long as it is small, unless the user
// has said with GOGC or GOMEMLIMIT how far it may grow.
func Relax() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(relaxed)
	watch(relaxed)
}

// watch looks at the heap after the next collection, and after each that follows.
func watch(percent int) {
	type mark struct{ *mark } // what a collection finds that nobody holds
	runtime.AddCleanup(&mark{}, func(before int) {
		percent := percentFor(inUse())
		if percent != before {
			debug.SetGCPercent(percent)
		}
		watch(percent)
	}, percent)
}

func percentFor(bytes uint64) int {
	if bytes > small {
		return usual
	}
	return relaxed
}

// inUse is how many bytes the last collection left.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
