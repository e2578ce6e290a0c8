//go:build !linux

package input

// largePages does nothing where memory comes in pages of one size.
func largePages([]byte) {}
