package input

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime/debug"
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
		if AvailableBytes(in.src) == math.MaxInt {
			*in = New(&prefetchedUnpacker{src: whole})
		} else {
			*in = New(whole)
		}
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

// AvailableReader is a source that knows at least how many bytes it can return
// without blocking. Ready returns [math.MaxInt] for a source that never blocks,
// such as a file. Such a source may be read by a goroutine other than the
// Reader's until the end of the input or [Reader.Reset].
type AvailableReader interface {
	Ready() int
}

// AvailableBytes returns the result of Ready if the source is an
// [AvailableReader], and 0 if not.
func AvailableBytes(src io.Reader) int {
	if r, ok := src.(AvailableReader); ok {
		return r.Ready()
	}
	return 0
}

// Sizes for prefetching decompressed data, in bytes.
const (
	aloneBytes  = 128 << 10 // decompressed before the goroutine is started; shorter inputs do not need it
	unpackBytes = 128 << 10 // size of a block
)

// prefetchedUnpacker decompresses the next blocks of an input in a goroutine,
// because decompression takes longer than checking the records. It is used only
// for sources that never block, so that stop does not block either.
type prefetchedUnpacker struct {
	src     *decompressed
	blocks  chan unpackedBlock // to Read; nil before start
	free    chan []byte        // from Read; closed by stop
	current unpackedBlock
	rest    []byte // unread data of current
}

// unpackedBlock is one block of decompressed data, with the error after it.
type unpackedBlock struct {
	data     []byte
	err      error
	panicked *Panic // of the decompressor, or nil
}

// Panic is the value of a panic that is repeated in another goroutine.
type Panic struct {
	Value any
	Stack []byte // where it happened, as of runtime/debug.Stack
}

// Ready implements [AvailableReader].
func (a *prefetchedUnpacker) Ready() int { return math.MaxInt }

// Read implements [io.Reader]. It repeats a panic of the decompressor in the
// caller's goroutine, as a [*Panic].
func (a *prefetchedUnpacker) Read(p []byte) (int, error) {
	if a.blocks == nil && a.src.bytes < aloneBytes {
		return a.src.Read(p)
	}
	if a.blocks == nil {
		a.start()
	}
	for len(a.rest) == 0 && a.current.err == nil {
		if a.current.data != nil {
			a.free <- a.current.data
		}
		a.current = <-a.blocks
		if a.current.panicked != nil {
			panic(a.current.panicked)
		}
		a.rest = a.current.data
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	if len(a.rest) > 0 {
		return n, nil
	}
	return n, a.current.err
}

// start starts the goroutine.
func (a *prefetchedUnpacker) start() {
	a.blocks, a.free = make(chan unpackedBlock, 2), make(chan []byte, 3)
	for range cap(a.free) {
		a.free <- make([]byte, unpackBytes)
	}
	go a.run()
}

// run decompresses into free blocks until the input ends or stop closes the
// channel of free blocks.
func (a *prefetchedUnpacker) run() {
	defer close(a.blocks)
	for room := range a.free {
		block := a.unpack(room[:cap(room)])
		a.blocks <- block
		if block.err != nil {
			return
		}
	}
}

// unpack fills a buffer with the next bytes, and recovers from a panic of the
// decompressor.
func (a *prefetchedUnpacker) unpack(room []byte) (block unpackedBlock) {
	defer func() {
		if cause := recover(); cause != nil {
			block = unpackedBlock{err: io.ErrUnexpectedEOF, panicked: &Panic{cause, debug.Stack()}}
		}
	}()
	n, err := io.ReadAtLeast(a.src, room, unpackBytes)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return unpackedBlock{data: room[:n], err: err}
}

// stop ends the goroutine. Read must not be called afterwards.
func (a *prefetchedUnpacker) stop() {
	if a.blocks == nil {
		return
	}
	close(a.free)
	for range a.blocks { // until it is closed
	}
}
