//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives a file the extended attributes of the one at path.
func keepAttributes(f *os.File, path string) error {
	var failed error
	for _, name := range strings.Split(string(sized(func(to []byte) (int, error) { return unix.Listxattr(path, to) })), "\x00") {
		if name == "" {
			continue // after the last one
		}
		value := sized(func(to []byte) (int, error) { return unix.Getxattr(path, name, to) })
		has := sized(func(to []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, to) })
		if has != nil && bytes.Equal(has, value) {
			continue // such as a label that the directory gives
		}
		if err := unix.Fsetxattr(int(f.Fd()), name, value, 0); err != nil {
			failed = errors.Join(failed, fmt.Errorf("its extended attribute %s cannot be kept: %w", name, err))
		}
	}
	return failed
}

// sized returns what a function writes, which returns the size for an empty slice. It returns nil if
// that fails.
func sized(read func(to []byte) (int, error)) []byte {
	size, err := read(nil)
	if err != nil {
		return nil
	}
	text := make([]byte, size)
	if size, err = read(text); err != nil {
		return nil
	}
	return text[:size]
}
