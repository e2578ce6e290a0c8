package job

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/bmatcuk/doublestar/v4"
)

// store is what the file system of Beam for an object store lacks: it reads
// objects from their beginning only, so that each part of a large one would read
// all of it before; and its globs know neither ? before a * nor, on s3, **.
type store struct {
	// list calls a function with the names of the objects in a bucket that have a
	// prefix.
	list func(ctx context.Context, bucket, prefix string, each func(name string)) error
	// open opens an object at an offset in bytes.
	open func(ctx context.Context, bucket, name string, offset int64) (io.ReadCloser, error)
}

var stores = map[string]store{
	"gs": {listGS, openGS},
	"s3": {listS3, openS3},
}

// scheme returns the scheme of a path, "" for a local one.
func scheme(path string) string {
	name, _, ok := strings.Cut(path, "://")
	if !ok {
		return ""
	}
	return name
}

// object returns the bucket and the name of an object.
func object(path string) (bucket, name string) {
	_, path, _ = strings.Cut(path, "://")
	bucket, name, _ = strings.Cut(path, "/")
	return bucket, name
}

// address returns the path of an object as a file system of Beam takes it: an
// escaped URL. Otherwise it would cut a name at a "?" or "#".
func address(path string) string {
	if _, ok := stores[scheme(path)]; !ok {
		return path
	}
	bucket, name := object(path)
	return (&url.URL{Scheme: scheme(path), Host: bucket, Path: "/" + name}).String()
}

// listStore returns the objects of a store that match a glob, sorted.
func listStore(ctx context.Context, glob string) ([]string, error) {
	prefix := glob[:strings.IndexAny(glob+"*", globCharacters)]
	switch {
	case prefix == glob:
		return []string{glob}, nil // planning it says whether it exists
	case !doublestar.ValidatePattern(glob):
		return nil, errors.New("not a valid glob")
	case strings.Count(prefix, "/") < len("///"):
		return nil, errors.New("a glob in the name of a bucket")
	}
	paths, err := under(ctx, prefix)
	return slices.DeleteFunc(paths, func(path string) bool {
		matches, _ := doublestar.Match(glob, path) // the glob is valid
		return path != glob && (!matches || strings.HasSuffix(path, "/"))
	}), err
}

// globCharacters are those that a glob has and most names do not.
const globCharacters = `*?[{\`

// under returns the objects of a store whose paths begin with a prefix, sorted.
func under(ctx context.Context, prefix string) (paths []string, err error) {
	err = guard(func() error {
		if of, ok := stores[scheme(prefix)]; ok {
			bucket, name := object(prefix)
			return of.list(ctx, bucket, name, func(name string) { paths = append(paths, scheme(prefix)+"://"+bucket+"/"+name) })
		}
		fs, err := filesystem.New(ctx, prefix)
		if err != nil {
			return err
		}
		paths, err = fs.List(ctx, prefix+"*")
		return errors.Join(err, fs.Close())
	})
	slices.Sort(paths)
	return paths, err
}
