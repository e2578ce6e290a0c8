//go:build !unix

package atomicfile

import "os"

// nameCount returns 1: how many names a file has is not known.
func nameCount(os.FileInfo) uint64 { return 1 }

// keepProperties does nothing: a new file inherits what its directory says.
func keepProperties(*os.File, os.FileInfo, string) error { return nil }
