// Package exhaustive separates the tests that run everywhere from those that
// only continuous integration has time for.
package exhaustive

import "os"

// Variable is the environment variable that turns the exhaustive tests on. Any
// value but the empty one does.
const Variable = "LMCLINT_EXHAUSTIVE"

// Enabled reports whether the exhaustive tests are to run. A test that has a
// quick variant, such as a sample of its cases, runs that one if not.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Sample returns all items if the exhaustive tests are to run. Otherwise it
// returns n of them at most, spread evenly, always the same.
func Sample[T any](items []T, n int) []T {
	if Enabled() || len(items) <= n {
		return items
	}
	sample := make([]T, n)
	for i := range sample {
		sample[i] = items[i*len(items)/n]
	}
	return sample
}
