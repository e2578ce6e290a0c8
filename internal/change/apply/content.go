package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lmclint/lmclint/internal/source/input"
)

// MaxBytes is the maximum size of an input to fix, decompressed, in bytes: it is
// held in memory.
const MaxBytes = 1 << 30

// ErrArchive reports an archive, whose members cannot be fixed.
var ErrArchive = errors.New("an archive is not fixed: unpack it first")

// ErrBinary reports an input with NUL bytes, such as a database: what is between the records is not text.
var ErrBinary = errors.New("it is not fixed: it has NUL bytes, so it is not a text")

// ErrFramed reports an input that has the length of each record before it.
var ErrFramed = errors.New("it is not fixed: the length before each record would be wrong")

// ErrTooLarge reports an input that exceeds [MaxBytes].
var ErrTooLarge = fmt.Errorf("larger than %d bytes, the limit of fix", MaxBytes)

// Content is the content of a file, decompressed.
type Content struct {
	Text []byte

	// Pack returns the bytes of the file with another text, compressed like the
	// original.
	Pack func(text []byte) ([]byte, error)
}

// Read reads the content of a file, which may be compressed with gzip or zstd, to its
// end. It returns with an error, too, the bytes that it has read.
func Read(r io.Reader) (raw []byte, content Content, err error) {
	if raw, err = readAll(r); err != nil {
		return raw, Content{}, err
	}
	name, packed := "", bytes.NewReader(raw)
	switch {
	case input.IsZip(raw[:min(len(raw), input.ZipMagicBytes)]):
		return raw, Content{}, ErrArchive
	case bytes.HasPrefix(raw, []byte{0x1F, 0x8B}):
		name = "gzip"
		var unpacked *gzip.Reader
		if unpacked, err = gzip.NewReader(packed); err != nil {
			break
		}
		header := unpacked.Header
		content.Text, err = readAll(unpacked)
		content.Pack = func(text []byte) ([]byte, error) {
			var out bytes.Buffer
			w := gzip.NewWriter(&out)
			w.Header = header
			_, err := w.Write(text)
			err = errors.Join(err, w.Close())
			return out.Bytes(), err
		}
	case bytes.HasPrefix(raw, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		name = "zstd"
		var unpacked *zstd.Decoder
		if unpacked, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)); err != nil {
			break
		}
		defer unpacked.Close()
		content.Text, err = readAll(unpacked)
		content.Pack = func(text []byte) ([]byte, error) {
			w, err := zstd.NewWriter(nil)
			if err != nil {
				return nil, err
			}
			return w.EncodeAll(text, nil), nil
		}
	default:
		content = Content{raw, func(text []byte) ([]byte, error) { return text, nil }}
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%s data is corrupt or cut off: %w", name, err)
	}
	return raw, content, err
}

func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(text) > MaxBytes {
		return text, ErrTooLarge
	}
	return text, err
}
