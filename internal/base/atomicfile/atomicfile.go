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

// Create opens a file that will replace the one at path, with its permissions
// and, as far as the system allows, its owner. A file that must not be written
// is not replaced either. A symbolic link at path is kept; its target is
// replaced, or made. A file that is not regular, such as a pipe or a terminal,
// is written directly.
func Create(path string) (*File, error) {
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return createBeside(path)
	}
	if err != nil {
		return nil, err
	}
	info, err := old.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return &File{File: old}, nil
	}
	if err := errors.Join(err, old.Close()); err != nil {
		return nil, err
	}
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	keepOwner(f.File, info)
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return nil, errors.Join(err, f.Discard())
	}
	return f, nil
}

// createBeside opens a file that will replace that at path, or at the end of its
// links.
func createBeside(path string) (*File, error) {
	path = followLinks(path)
	f, err := temporary(path)
	if err != nil {
		return nil, err
	}
	return &File{File: f, target: path}, nil
}

// maxLinks is how many symbolic links to a file that does not exist are followed;
// systems follow fewer.
const maxLinks = 100

// followLinks returns the path of the file that a symbolic link names, which need
// not exist, or path itself.
func followLinks(path string) string {
	for range maxLinks {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		target, _ := os.Readlink(path)
		if target == "" { // it is not a link
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path
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
	err := f.Close()
	if err == nil {
		err = os.Rename(f.Name(), f.target)
	}
	if err != nil {
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
