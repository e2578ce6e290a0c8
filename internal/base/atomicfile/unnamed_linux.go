package atomicfile

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// isBusy reports whether the file at path is open for writing in any process of this machine. It returns
// false if the file system or the owner of the file does not let it find out. A lease on a file is
// refused while the file is open for writing; unlike /proc, that shows the processes of other users, too.
func isBusy(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // which ends the lease
	_, err = unix.FcntlInt(file.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	return errors.Is(err, unix.EAGAIN)
}

// openUnnamed opens a file without a name in a directory, and reports whether the system can give it one later.
func openUnnamed(dir string) (*os.File, bool) {
	f, err := os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o666)
	if err != nil {
		return nil, false
	}
	if _, err := os.Stat(procPath(f)); err != nil {
		_ = f.Close() // there is no /proc
		return nil, false
	}
	return f, true
}

// link gives a file that has no name one.
func link(f *os.File, name string) error {
	if err := unix.Linkat(unix.AT_FDCWD, procPath(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW); err != nil {
		return &os.LinkError{Op: "link", Old: f.Name(), New: name, Err: err}
	}
	return nil
}

func procPath(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
