//go:build !js

package input

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow is the maximum memory of a zstd decoder in bytes, the same as
// that of the zstd program.
const maxZstdWindow = 128 << 20

var (
	openGzip = func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	openZstd = func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	}
)
