package job

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // registers s3://
	"github.com/bmatcuk/doublestar/v4"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/gcsblob" // opens gs://
	_ "gocloud.dev/blob/s3blob"  // opens s3://
)

// isStore reports whether a path is in an object store. What the file system of Beam
// for one lacks, the Go CDK does: Beam's reads objects from their beginning only, so
// that each part of a large one would read all of it before; and its globs know
// neither ? before a * nor, on s3, **.
func isStore(path string) bool { return slices.Contains([]string{"gs", "s3"}, scheme(path)) }

// openBucket opens the bucket of an object, and returns the object's name. Without
// credentials for Google Cloud Storage it opens a public one, as Beam does.
func openBucket(ctx context.Context, path string) (bucket *blob.Bucket, name string, err error) {
	host, name := object(path)
	address := scheme(path) + "://" + host
	bucket, err = blob.OpenBucket(ctx, address)
	if err != nil && scheme(path) == "gs" {
		bucket, err = blob.OpenBucket(ctx, address+"?anonymous=true")
	}
	return bucket, name, err
}

// openObject opens an object at an offset in bytes.
func openObject(ctx context.Context, path string, offset int64) (io.ReadCloser, error) {
	bucket, name, err := openBucket(ctx, path)
	if err != nil {
		return nil, err
	}
	object, err := bucket.NewRangeReader(ctx, name, offset, -1, nil)
	if err != nil {
		return nil, errors.Join(err, bucket.Close())
	}
	return &openedObject{object, bucket}, nil
}

// openedObject closes the bucket of an object after the object.
type openedObject struct {
	io.ReadCloser
	bucket io.Closer
}

// Close implements [io.Closer].
func (o *openedObject) Close() error { return errors.Join(o.ReadCloser.Close(), o.bucket.Close()) }

// listObjects returns the paths of the objects that begin with a prefix.
func listObjects(ctx context.Context, prefix string) (paths []string, err error) {
	bucket, name, err := openBucket(ctx, prefix)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	address, _ := strings.CutSuffix(prefix, name)
	for objects := bucket.List(&blob.ListOptions{Prefix: name}); ; {
		object, err := objects.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return paths, nil
		case err != nil:
			return paths, err
		}
		paths = append(paths, address+object.Key)
	}
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
	if !isStore(path) {
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
		if isStore(prefix) {
			paths, err = listObjects(ctx, prefix)
			return err
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
