package source_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

// piecewise returns an input in different parts and compressions, by name. A
// reader must return the same for each.
func piecewise(input string) map[string]io.Reader {
	return map[string]io.Reader{
		"at once":       strings.NewReader(input),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(input)),
		"by halves":     iotest.HalfReader(strings.NewReader(input)),
		"end with data": iotest.DataErrReader(strings.NewReader(input)),
		"gzip":          bytes.NewReader(gzipped(input)),
		"zstd":          bytes.NewReader(zstandard(input)),
	}
}

// gzipped packs each part as a member of its own.
func gzipped(parts ...string) []byte {
	var packed bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&packed)
		_, _ = io.WriteString(w, part)
		_ = w.Close()
	}
	return packed.Bytes()
}

// zstandard compresses a text.
func zstandard(text string) []byte {
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return packed.Bytes()
}
