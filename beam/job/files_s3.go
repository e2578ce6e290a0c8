package job

import (
	"context"
	"fmt"
	"io"
	"strings"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // registers s3://
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// openS3 opens an object of Amazon S3 at an offset, with the default
// configuration of the AWS SDK, as Beam does.
func openS3(ctx context.Context, path string, offset int64) (io.ReadCloser, error) {
	bucket, key, ok := strings.Cut(strings.TrimPrefix(path, "s3://"), "/")
	if !ok {
		return nil, fmt.Errorf("%s has no name of an object", path)
	}
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	object, err := s3.NewFromConfig(settings).GetObject(ctx, &s3.GetObjectInput{
		Bucket: aws.String(bucket), Key: aws.String(key), Range: aws.String(fmt.Sprintf("bytes=%d-", offset)),
	})
	if err != nil {
		return nil, err
	}
	return object.Body, nil
}
