//go:build unix && !linux && !darwin

package atomicfile

import "os"

// keepAttributes does nothing.
func keepAttributes(*os.File, string) error { return nil }
