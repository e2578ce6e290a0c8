package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"   // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"    // s3://
	"github.com/bmatcuk/doublestar/v4"
)

func init() {
	beam.RegisterDoFn(&expandFn{})
}

// expandFn lists the files that match a glob.
type expandFn struct{ Lanes int }

// ProcessElement emits the files, or an outcome with a failure if there are none.
// Beam's fileio would fail the job.
func (fn *expandFn) ProcessElement(ctx context.Context, glob string, emit func(Input), refuse func(Outcome)) {
	paths, err := list(ctx, glob)
	switch {
	case err != nil || len(paths) > 0:
	case strings.ContainsAny(glob, globCharacters):
		err = errors.New("no such file, and no file matches it as a glob")
	default:
		paths = []string{glob} // its check says why it cannot be read
	}
	if err != nil {
		refuse(Outcome{Path: glob, Failure: reason(err)})
	}
	for _, path := range paths {
		emit(Input{path, hashOf(path, fn.Lanes)})
	}
}

// reason returns the text of an error for a line that names the path already.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// globCharacters are those that a glob has and most names do not.
const globCharacters = `*?[{\`

// list returns the files that match a glob, sorted. Local globs are those of
// lmclint: ** matches folders, too, and hidden files are skipped. Those of a store
// are those of Beam's file system.
func list(ctx context.Context, glob string) (paths []string, err error) {
	if isLocal(glob) {
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
	if !strings.ContainsAny(glob, globCharacters) {
		return []string{glob}, nil
	}
	err = within(ctx, glob, func(fs filesystem.Interface) error {
		paths, err = fs.List(ctx, glob)
		return err
	})
	slices.Sort(paths)
	// A name that ends with a slash is a folder that a console has made.
	return slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "/") }), err
}

// isLocal reports whether a path is in no store.
func isLocal(path string) bool { return !strings.Contains(path, "://") }

// address returns a path as Beam's file systems of stores take it: an escaped URL.
// Otherwise they would cut a name at a "?" or "#".
func address(path string) string {
	scheme, rest, found := strings.Cut(path, "://")
	if !found || scheme != "gs" && scheme != "s3" {
		return path
	}
	bucket, name, _ := strings.Cut(rest, "/")
	return (&url.URL{Scheme: scheme, Host: bucket, Path: "/" + name}).String()
}

// within calls a function with the file system of a path. Some of Beam's file
// systems panic, such as without credentials; that is an error of the input.
func within(ctx context.Context, path string, do func(filesystem.Interface) error) error {
	return guard(func() error {
		fs, err := filesystem.New(ctx, path)
		if err != nil {
			return err
		}
		return errors.Join(do(fs), fs.Close())
	})
}

// guard makes a panic of a file system an error.
func guard(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("internal error of the file system: %v", value)
		}
	}()
	return do()
}

// open opens a file.
func open(ctx context.Context, path string) (opened io.ReadCloser, err error) {
	if isLocal(path) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			return nil, errors.New("it is a directory: add /** to check its files")
		case !info.Mode().IsRegular():
			return nil, errors.New("not a regular file")
		}
	}
	err = guard(func() error {
		fs, err := filesystem.New(ctx, path)
		if err != nil {
			return err
		}
		file, err := fs.OpenRead(ctx, address(path))
		if err != nil {
			return errors.Join(err, fs.Close())
		}
		opened = &openFile{file, fs}
		return nil
	})
	return opened, err
}

// openFile is a file with the file system that it is of.
type openFile struct {
	file io.ReadCloser
	fs   io.Closer
}

// Read implements [io.Reader]. A panic of the file system is an error of the
// input.
func (f *openFile) Read(p []byte) (n int, err error) {
	err = guard(func() error {
		n, err = f.file.Read(p)
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
	if isLocal(path) {
		file, err = os.Open(path)
		return file, func() { _ = file.Close() }, err
	}
	opened, err := open(ctx, path)
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
