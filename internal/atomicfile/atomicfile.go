// Package atomicfile replaces files atomically: readers see the old content or
// the new one.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File is a temporary file that replaces another one when it is complete.
type File struct {
	*os.File
	target string // "" if the file is written in place
}

// Create opens a file that will replace the one at path. A symbolic link at
// path is kept; its target is replaced. A file that is not regular, such as a
// pipe or a terminal, is written directly.
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

// temporary creates a file beside path. Unlike [os.CreateTemp] it leaves the
// permissions to the umask.
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

// Commit closes the file and renames it. If it fails, the file at path is the
// old one.
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

// Discard closes and removes the file. The file at path is unchanged.
func (f *File) Discard() error {
	err := f.Close()
	if f.target == "" {
		return err
	}
	return errors.Join(err, os.Remove(f.Name()))
}
