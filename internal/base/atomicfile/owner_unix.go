//go:build unix

package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// nameCount returns how many names a file has.
func nameCount(info os.FileInfo) uint64 {
	return uint64(info.Sys().(*syscall.Stat_t).Nlink) //nolint:unconvert,forcetypeassert // its type depends on the system; os.Stat has it on all of them
}

// keepProperties gives a file the owner, the group, the mode and the extended attributes of another one, which
// is at path, as far as the system allows it. The error says what it does not have.
func keepProperties(f *os.File, old os.FileInfo, path string) error {
	had, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	// Only the superuser may give any file away; others keep what they may.
	_ = f.Chown(-1, int(had.Gid))
	_ = f.Chown(int(had.Uid), -1)
	err := f.Chmod(old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)) // a new owner clears some
	if now, failed := f.Stat(); failed == nil {
		if stat, ok := now.Sys().(*syscall.Stat_t); ok && (stat.Uid != had.Uid || stat.Gid != had.Gid) {
			err = errors.Join(err, errors.New("its owner or group cannot be kept"))
		} else if now.Mode() != old.Mode() {
			err = errors.Join(err, fmt.Errorf("its mode %v cannot be kept", old.Mode()))
		}
	}
	return errors.Join(err, keepAttributes(f, path))
}
