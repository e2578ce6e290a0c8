package job

import (
	"context"
	"errors"
	"io"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/gcsx"
)

// openGS opens an object of Google Cloud Storage at an offset, with the
// credentials that Beam uses, or none.
func openGS(ctx context.Context, path string, offset int64) (io.ReadCloser, error) {
	bucket, name, err := gcsx.ParseObject(path)
	if err != nil {
		return nil, err
	}
	client, err := gcsx.NewClient(ctx, storage.ScopeReadOnly)
	if err != nil {
		if client, err = gcsx.NewUnauthenticatedClient(ctx); err != nil {
			return nil, err
		}
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
