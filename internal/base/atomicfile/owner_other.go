//go:build !unix

package atomicfile

import "os"

// keepOwner does nothing: a new file inherits what its directory says.
func keepOwner(*os.File, os.FileInfo) {}
