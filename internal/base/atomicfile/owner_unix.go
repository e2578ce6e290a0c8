//go:build unix

package atomicfile

import (
	"os"
	"syscall"
)

// keepOwner gives a file the owner and the group of another one. Only the
// superuser may do so with any file; others keep what they may.
func keepOwner(f *os.File, old os.FileInfo) {
	had, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	_ = f.Chown(-1, int(had.Gid))
	_ = f.Chown(int(had.Uid), -1)
}
