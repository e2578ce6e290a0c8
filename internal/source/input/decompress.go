package input

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// DefaultMaxUnpackedBytes is how many decompressed bytes of an input are read
// regardless of its compression ratio.
const DefaultMaxUnpackedBytes = 1 << 30

// MaxRatio is the maximum compression ratio of an input after that many bytes.
// Recordings compress 10 to 50 times, decompression bombs 1,000 times and more.
const MaxRatio = 500

// compressions are the supported compressions, detected by magic numbers that
// no JSON text starts with. The functions that open them are nil in a build
// that reads no compressed input, see codecs_js.go.
var compressions = []struct {
	name  string
	magic []byte
	open  func(io.Reader) (io.Reader, error)
}{
	{"gzip", []byte{0x1F, 0x8B}, openGzip},
	{"zstd", []byte{0x28, 0xB5, 0x2F, 0xFD}, openZstd},
}

// IsCompressed reports whether an input that starts with head is compressed in
// a way that a [Reader] decompresses. It also returns true if head is too short
// to exclude that.
func IsCompressed(head []byte) bool {
	for _, c := range compressions {
		n := min(len(head), len(c.magic))
		if bytes.Equal(head[:n], c.magic[:n]) {
			return true
		}
	}
	return false
}

// Decompress inserts a decompressor if the input starts with the magic number
// of a compression. It does nothing for nested text. Limit is
// Options.MaxUnpackedBytes. It returns an error if the compressed data cannot
// be read or their header is invalid.
func (in *Input) Decompress(limit int64) error {
	if in.IsNested {
		return nil
	}
	for _, c := range compressions {
		if !in.StartsWith(c.magic) {
			continue
		}
		if c.open == nil {
			return fmt.Errorf("%s data cannot be read here: decompress them first", c.name)
		}
		packed := &compressedSource{src: io.MultiReader(bytes.NewReader(bytes.Clone(in.Unread())), &prereadSource{in.src, in.err})}
		opened, err := c.open(packed)
		if err != nil {
			return packed.explain(c.name, err)
		}
		whole := &decompressed{src: opened, packed: packed, name: c.name, limit: limit}
		*in = New(whole)
		return nil
	}
	return nil
}

// StartsWith reports whether the unread input starts with magic. It reads no
// more than needed to decide that.
func (in *Input) StartsWith(magic []byte) bool {
	for {
		unread := in.Unread()
		if len(unread) >= len(magic) || !bytes.HasPrefix(magic, unread) {
			return bytes.HasPrefix(unread, magic)
		}
		if !in.Fetch() {
			return false
		}
	}
}

// prereadSource is a source of which the first bytes have been read, with the
// error of the last Read.
type prereadSource struct {
	src io.Reader
	err error
}

func (r *prereadSource) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return r.src.Read(p)
}

// compressedSource counts the compressed bytes and keeps the error of the
// source, to distinguish it from an error in the compressed data.
type compressedSource struct {
	src   io.Reader
	err   error
	bytes int64
}

func (p *compressedSource) Read(b []byte) (int, error) {
	n, err := p.src.Read(b)
	p.bytes += int64(n)
	if err != nil && err != io.EOF {
		p.err = err
	}
	return n, err
}

func (p *compressedSource) explain(name string, err error) error {
	if p.err != nil {
		return fmt.Errorf("read %s data: %w", name, p.err)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%s data is corrupt or cut off: %w", name, err)
}

// decompressed is the decompressed input. It fails with an [ExpansionError] if
// the data exceeds both limit and MaxRatio.
type decompressed struct {
	src    io.Reader
	packed *compressedSource
	name   string
	bytes  int64 // decompressed so far
	limit  int64 // Options.MaxUnpackedBytes
}

func (u *decompressed) Read(p []byte) (int, error) {
	n, err := u.src.Read(p)
	u.bytes += int64(n)
	switch {
	case err != nil && err != io.EOF:
		err = u.packed.explain(u.name, err)
	case err == nil && u.bytes > u.limit && u.bytes/MaxRatio > u.packed.bytes:
		err = &ExpansionError{name: u.name, limit: u.limit}
	}
	return n, err
}

// The header of the first file in a tar archive.
const (
	tarHeaderBytes  = 512
	tarChecksumAt   = 148
	tarChecksumSize = 8
)

// IsTar reports whether an input that starts with head is a tar archive, of any of its formats: the sum of the
// bytes of the first header, with spaces in place of the sum, is written in it in octal.
func IsTar(head []byte) bool {
	if len(head) < tarHeaderBytes {
		return false // no shorter input is one, and a pipe from tar begins with more
	}
	head = head[:tarHeaderBytes]
	field := head[tarChecksumAt : tarChecksumAt+tarChecksumSize]
	want, err := strconv.ParseUint(string(bytes.Trim(field, " \x00")), 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(tarChecksumSize * ' ')
	for i, b := range head {
		if i < tarChecksumAt || i >= tarChecksumAt+tarChecksumSize {
			sum += uint64(b)
		}
	}
	return sum == want
}

// ZipMagic is the start of a zip archive that contains a file. No JSON text
// starts with it.
var ZipMagic = []byte("PK\x03\x04")

// ZipMagicBytes is how many bytes of an input IsZip needs.
const ZipMagicBytes = 4

// IsZip reports whether an input that starts with head is a zip archive.
func IsZip(head []byte) bool { return bytes.HasPrefix(head, ZipMagic) }

// ByteOrderMark is U+FEFF in UTF-8.
var ByteOrderMark = []byte("\ufeff")

// ForeignEncoding returns the name of the encoding if the input starts like
// UTF-16 or UTF-32: with a byte order mark, or with an ASCII character. It
// returns "" for UTF-8.
func (in *Input) ForeignEncoding() string {
	for len(in.Unread()) < 4 && mayBeForeign(in.Unread()) && in.Fetch() {
	}
	head := in.Unread()
	if len(head) < 2 || !mayBeForeign(head) {
		return ""
	}
	zeros := func(at ...int) bool {
		for i, c := range head[:min(len(head), 4)] {
			if (c == 0) != slices.Contains(at, i) {
				return false
			}
		}
		return len(head) >= 4
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")), zeros(0, 1, 2), zeros(1, 2, 3):
		return "UTF-32"
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), zeros(0, 2), zeros(1, 3):
		return "UTF-16"
	}
	return ""
}

// mayBeForeign reports whether an input that starts with head may have another
// encoding than UTF-8.
func mayBeForeign(head []byte) bool {
	if len(head) == 0 {
		return true
	}
	return len(head) == 1 || head[1] == 0 || bytes.IndexByte([]byte{0xFE, 0xFF, 0}, head[0]) >= 0
}
