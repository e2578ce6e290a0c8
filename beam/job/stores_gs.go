package job

import (
	"context"
	"errors"
	"io"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/gcsx"
	"google.golang.org/api/iterator"
)

// newGS returns a client of Google Cloud Storage with the credentials that Beam
// uses, or none.
func newGS(ctx context.Context) (*storage.Client, error) {
	client, err := gcsx.NewClient(ctx, storage.ScopeReadOnly)
	if err != nil {
		return gcsx.NewUnauthenticatedClient(ctx)
	}
	return client, nil
}

func listGS(ctx context.Context, bucket, prefix string, each func(string)) error {
	client, err := newGS(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	query := &storage.Query{Prefix: prefix}
	if err := query.SetAttrSelection([]string{"Name"}); err != nil {
		return err
	}
	for objects := client.Bucket(bucket).Objects(ctx, query); ; {
		object, err := objects.Next()
		switch {
		case errors.Is(err, iterator.Done):
			return nil
		case err != nil:
			return err
		}
		each(object.Name)
	}
}

func openGS(ctx context.Context, bucket, name string, offset int64) (io.ReadCloser, error) {
	client, err := newGS(ctx)
	if err != nil {
		return nil, err
	}
	object, err := client.Bucket(bucket).Object(name).NewRangeReader(ctx, offset, -1)
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return &withClient{object, client}, nil
}

// withClient closes the client of an object after the object.
type withClient struct {
	io.ReadCloser
	client io.Closer
}

// Close implements [io.Closer].
func (c *withClient) Close() error { return errors.Join(c.ReadCloser.Close(), c.client.Close()) }
