//go:build !linux

package source

// largePages does nothing where memory comes in pages of one size.
func largePages([]byte) {}
