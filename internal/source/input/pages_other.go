//go:build !linux

package input

// largePages does nothing on this system.
func largePages([]byte) {}
