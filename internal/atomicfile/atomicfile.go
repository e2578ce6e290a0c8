// Package atomicfile writes a file so that its readers see the old content or
// the new one, and never a part.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File is a file that takes its name when it is complete.
type File struct {
	*os.File
	target string // "" if the file is written in place
}

// Create opens a file that will replace the one at path. A link there stays
// a link. What is no regular file, such as a pipe or a terminal, is written in
// place: it has no content to be replaced.
func Create(path string) (*File, error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &File{File: f}, err
	}
	f, createErr := temporary(path)
	if createErr != nil {
		return nil, createErr
	}
	if err == nil {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	return &File{File: f, target: path}, nil
}

// temporary makes a new file beside path. Unlike [os.CreateTemp] it leaves the
// permissions to the umask, as for any file that a program writes.
func temporary(path string) (*os.File, error) {
	const attempts = 100
	for range attempts {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free name for a temporary file beside %s", path)
}

// Commit closes the file and gives it its name. After an error the file at
// that name is the old one.
func (f *File) Commit() error {
	if f.target == "" {
		return f.Close()
	}
	if err := f.Close(); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), f.target); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Discard closes the file and removes it. The file at its name stays as it is.
func (f *File) Discard() error {
	err := f.Close()
	if f.target == "" {
		return err
	}
	return errors.Join(err, os.Remove(f.Name()))
}
