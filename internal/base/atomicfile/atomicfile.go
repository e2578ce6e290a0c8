// Package atomicfile replaces files atomically: readers see the old content or
// the new one.
package atomicfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// File is a temporary file that replaces another one when it is complete.
type File struct {
	*os.File
	target  string      // "" if the file is written in place
	unnamed bool        // it has no name before Commit, so that nothing is left of it if the process is killed
	old     os.FileInfo // of the file that it replaces, or nil
	keepAll bool        // Commit fails if the new file would lack something of the old one
}

// ErrBusy is the error of a file that is open for writing elsewhere: what is written there
// after the file was replaced would be lost.
var ErrBusy = errors.New("another process has it open for writing")

// Create opens a file that will replace the one at path, with its permissions
// and, as far as the system allows, its owner and extended attributes. A file that must
// not be written, or that is open for writing elsewhere, is not replaced either. A symbolic link at
// path is kept; its target is replaced, or made. A file that is not regular, such as a pipe or a
// terminal, is written directly.
func Create(path string) (*File, error) { return create(path, false) }

// Replace is Create for a file of which nothing may be lost: it, or Commit, fails if the file has
// other names, which would keep the old content, or if its owner or an attribute cannot be kept.
func Replace(path string) (*File, error) { return create(path, true) }

func create(path string, keepAll bool) (*File, error) {
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
	if info.Mode()&0o222 == 0 { // the superuser may write it
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	path = Target(path)
	if names := nameCount(info); keepAll && names > 1 {
		return nil, fmt.Errorf("it has %d names (hard links), and the others would keep the old content", names)
	}
	if isBusy(path) {
		return nil, ErrBusy
	}
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	f.old, f.keepAll = info, keepAll
	if err := f.Chmod(info.Mode().Perm()); err != nil { // at once: others must not read what is written
		return nil, errors.Join(err, f.Discard())
	}
	return f, nil
}

// createBeside opens a file that will replace that at path, or at the end of its
// links.
func createBeside(path string) (*File, error) {
	path = Target(path)
	if f, ok := openUnnamed(dirOf(path)); ok {
		return &File{File: f, target: path, unnamed: true}, nil
	}
	var file *os.File
	err := withFreeName(path, func(name string) (err error) {
		file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666) // the umask decides, unlike in os.CreateTemp
		return err
	})
	if err != nil {
		return nil, err
	}
	return &File{File: file, target: path}, nil
}

// maxLinks is how many symbolic links to a file that does not exist are followed;
// systems follow fewer.
const maxLinks = 100

// Target returns the path of the file that a symbolic link names, which need
// not exist, or path itself, with the links of its directory followed.
func Target(path string) string {
	for range maxLinks {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		target, _ := os.Readlink(path)
		if target == "" { // it is not a link
			break
		}
		if !filepath.IsAbs(target) {
			target = dirOf(path) + target
		}
		path = target
	}
	if dir, err := filepath.EvalSymlinks(dirOf(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// dirOf returns the directory of a path, with a separator at its end. Unlike filepath.Dir it
// keeps each "..", which leads elsewhere after a link, and nowhere after what does not exist.
func dirOf(path string) string {
	dir, _ := filepath.Split(path)
	return cmp.Or(dir, "."+string(filepath.Separator))
}

// maxBase is the maximum size of the part of a name that a temporary name has: the
// system may refuse one that is longer than that of the file.
const maxBase = 128

// nameBeside returns the path of a file beside path, with a suffix.
func nameBeside(path, suffix string) string {
	dir, base := filepath.Split(path)
	if len(base) > maxBase {
		base = strings.ToValidUTF8(base[:maxBase], "")
	}
	return dir + base + suffix
}

// withFreeName calls a function, which makes a file, with a name beside path that no file has.
func withFreeName(path string, create func(name string) error) error {
	const attempts = 100
	for range attempts {
		if err := create(nameBeside(path, fmt.Sprintf(".%08x.tmp", rand.Uint32()))); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return fmt.Errorf("no free name for a temporary file beside %s", path)
}

// Differs reports whether Commit would replace a file that is neither empty nor equal to this one.
func (f *File) Differs() (bool, error) {
	if f.old == nil || f.old.Size() == 0 {
		return false, nil
	}
	if info, err := f.Stat(); err != nil || info.Size() != f.old.Size() {
		return true, err
	}
	old, err := os.Open(f.target)
	if err != nil {
		return false, err
	}
	defer func() { _ = old.Close() }()
	var mine, theirs [32 << 10]byte
	for at := int64(0); at < f.old.Size(); at += int64(len(mine)) {
		n, err := f.ReadAt(mine[:], at)
		m, failed := old.ReadAt(theirs[:], at)
		if err = errors.Join(err, failed); err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		if !bytes.Equal(mine[:n], theirs[:m]) {
			return true, nil
		}
	}
	return false, nil
}

// Commit closes the file and renames it. If it fails, the file at path is the
// old one.
func (f *File) Commit() error {
	if f.target == "" {
		return f.Close()
	}
	if f.old != nil {
		// Writing clears some of this, so it is done last.
		if err := keepProperties(f.File, f.old, f.target); err != nil && f.keepAll {
			return errors.Join(err, f.Discard())
		}
		if isBusy(f.target) {
			return errors.Join(ErrBusy, f.Discard())
		}
	}
	name := f.Name()
	if f.unnamed {
		err := withFreeName(f.target, func(free string) error {
			name = free
			return link(f.File, free)
		})
		if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	err := f.Close()
	if err == nil {
		err = os.Rename(name, f.target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// Discard closes and removes the file. The file at path is unchanged.
func (f *File) Discard() error {
	err := f.Close()
	if f.target == "" || f.unnamed {
		return err
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// maxWait is how long Lock waits for another process.
const maxWait = 10 * time.Second

// Lock makes other processes that lock the file at path wait until unlock is called. It makes a file
// beside it, and fails if that remains for a long time.
func Lock(path string) (unlock func() error, err error) {
	path = nameBeside(Target(path), ".lock")
	for end := time.Now().Add(maxWait); ; time.Sleep(5 * time.Millisecond) {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case err == nil:
			return func() error { return os.Remove(path) }, file.Close()
		case !errors.Is(err, fs.ErrExist):
			return nil, err
		case time.Now().After(end):
			return nil, fmt.Errorf("another run is writing it; if none is, delete %s", path)
		}
	}
}
