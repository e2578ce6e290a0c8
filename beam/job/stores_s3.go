package job

import (
	"context"
	"fmt"
	"io"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // registers s3://
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// newS3 returns a client of Amazon S3 with the default configuration of the AWS
// SDK, as Beam does.
func newS3(ctx context.Context) (*s3.Client, error) {
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	return s3.NewFromConfig(settings), nil
}

func listS3(ctx context.Context, bucket, prefix string, each func(string)) error {
	client, err := newS3(ctx)
	if err != nil {
		return err
	}
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: aws.String(bucket), Prefix: aws.String(prefix)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for i := range page.Contents {
			each(aws.ToString(page.Contents[i].Key))
		}
	}
	return nil
}

func openS3(ctx context.Context, bucket, name string, offset int64) (io.ReadCloser, error) {
	client, err := newS3(ctx)
	if err != nil {
		return nil, err
	}
	object, err := client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: aws.String(bucket), Key: aws.String(name), Range: aws.String(fmt.Sprintf("bytes=%d-", offset)),
	})
	if err != nil {
		return nil, err
	}
	return object.Body, nil
}
