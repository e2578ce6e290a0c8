package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/bmatcuk/doublestar/v4"
)

// guard calls a function of a file system of Beam. Some of them panic, such as
// without credentials; that is an error of the input.
func guard(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("internal error of the file system: %v", value)
		}
	}()
	return do()
}

// list returns the files that match a glob, sorted. In globs ** matches folders,
// too. Local ones are those of lmclint: they skip hidden files.
func list(ctx context.Context, glob string) (paths []string, err error) {
	if scheme(glob) != "" {
		return listStore(ctx, glob)
	}
	if _, err := os.Lstat(glob); err == nil {
		return []string{glob}, nil
	}
	paths, err = doublestar.FilepathGlob(glob, doublestar.WithNoFollow(), doublestar.WithNoHidden(), doublestar.WithFilesOnly())
	if err != nil {
		return nil, fmt.Errorf("no such file, and not a valid glob: %w", err)
	}
	slices.Sort(paths)
	return paths, nil
}

// size returns the size of a file in bytes.
func size(ctx context.Context, path string) (bytes int64, err error) {
	if scheme(path) == "" {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return 0, err
		case info.IsDir():
			return 0, &os.PathError{Op: "read", Path: path, Err: errors.New("it is a directory: add /** to check its files")}
		case !info.Mode().IsRegular():
			return 0, &os.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
		}
		return info.Size(), nil
	}
	err = guard(func() error {
		fs, err := filesystem.New(ctx, path)
		if err != nil {
			return err
		}
		bytes, err = fs.Size(ctx, address(path))
		return errors.Join(err, fs.Close())
	})
	return bytes, err
}

// open opens a file at an offset.
func open(ctx context.Context, path string, offset int64) (opened io.ReadCloser, err error) {
	err = guard(func() error {
		if isStore(path) && offset > 0 {
			opened, err = openObject(ctx, path, offset)
			return err
		}
		fs, err := filesystem.New(ctx, path)
		if err != nil {
			return err
		}
		file, err := fs.OpenRead(ctx, address(path))
		if err != nil {
			return errors.Join(err, fs.Close())
		}
		opened = &openFile{Reader: file, file: file, fs: fs}
		return skip(file, offset)
	})
	if err != nil && opened != nil {
		err = errors.Join(err, opened.Close())
		return nil, err
	}
	return opened, err
}

// skip reads up to an offset, or seeks there.
func skip(file io.Reader, offset int64) error {
	if offset == 0 {
		return nil
	}
	if seeker, ok := file.(io.Seeker); ok {
		_, err := seeker.Seek(offset, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, file, offset)
	return err
}

// openFile is a file with the file system that it is of.
type openFile struct {
	io.Reader
	file io.Closer
	fs   filesystem.Interface
}

// Read implements [io.Reader]. A panic of the file system is an error of the
// input.
func (f *openFile) Read(p []byte) (n int, err error) {
	err = guard(func() error {
		n, err = f.Reader.Read(p)
		return err
	})
	return n, err
}

// Close implements [io.Closer].
func (f *openFile) Close() error {
	return guard(func() error { return errors.Join(f.file.Close(), f.fs.Close()) })
}

// copyToDisk copies a file of a store to a temporary file, for a format that is
// not read from its beginning to its end. A local file is opened in its place.
// The caller calls remove after the last use.
func copyToDisk(ctx context.Context, path string) (file *os.File, remove func(), err error) {
	if scheme(path) == "" {
		file, err = os.Open(path)
		return file, func() { _ = file.Close() }, err
	}
	opened, err := open(ctx, path, 0)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = opened.Close() }()
	file, err = os.CreateTemp("", "lmclint-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}
	if _, err = io.Copy(file, opened); err != nil {
		remove()
		return nil, nil, err
	}
	return file, remove, nil
}
