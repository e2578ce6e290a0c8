// Package unprofiled keeps the runtime from taking notes for a memory profile.
// That a program can write profiles makes the runtime take them from the start,
// also while large packages are initialized. This one imports next to nothing
// and its path comes early, so that it is initialized before those.
package unprofiled

import "runtime"

func init() { runtime.MemProfileRate = 0 } //nolint:gochecknoinits // main would be too late
