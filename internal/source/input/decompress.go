package input

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// DefaultMaxUnpackedBytes is how many bytes of a compressed input are read
// however much it expands.
const DefaultMaxUnpackedBytes = 1 << 30

// MaxRatio is the factor by which a compressed input may expand after that many
// bytes. Recordings expand by 10 to 50, what is made to fill memories and disks
// by 1,000 and more.
const MaxRatio = 500

// maxZstdWindow is the memory that a zstd stream may ask for, in bytes; it is
// what the zstd program grants as well.
const maxZstdWindow = 128 << 20

// compressions are known by their first bytes. No JSON text begins so.
var compressions = []struct {
	name  string
	magic []byte
	open  func(io.Reader) (io.Reader, error)
}{
	{"gzip", []byte{0x1F, 0x8B}, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"zstd", []byte{0x28, 0xB5, 0x2F, 0xFD}, func(r io.Reader) (io.Reader, error) {
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	}},
}

// IsCompressed reports whether an input that begins with head is compressed in
// a way that a [Reader] undoes. Of a head shorter than that takes it says so if
// more of the input may show it.
func IsCompressed(head []byte) bool {
	for _, c := range compressions {
		n := min(len(head), len(c.magic))
		if bytes.Equal(head[:n], c.magic[:n]) {
			return true
		}
	}
	return false
}

// Decompress puts a decompressor before the input if its first bytes ask for
// one. Text inside the input is never compressed. Limit is
// Options.MaxUnpackedBytes.
func (in *Input) Decompress(limit int64) error {
	if in.Within {
		return nil
	}
	for _, c := range compressions {
		if !in.StartsWith(c.magic) {
			continue
		}
		packed := &compressedSource{src: io.MultiReader(bytes.NewReader(bytes.Clone(in.Unread())), &rest{in.src, in.err})}
		opened, err := c.open(packed)
		if err != nil {
			return packed.explain(c.name, err)
		}
		whole := &decompressed{src: opened, packed: packed, name: c.name, limit: limit}
		if AvailableBytes(in.src) == math.MaxInt {
			*in = New(&unpackedAhead{src: whole})
		} else {
			*in = New(whole)
		}
		return nil
	}
	return nil
}

// StartsWith reports whether the input begins with magic. It reads no further
// than needed to say so.
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

// rest is a source of which the first bytes have been read, with what the
// last Read said.
type rest struct {
	src io.Reader
	err error
}

func (r *rest) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return r.src.Read(p)
}

// compressedSource keeps its own error, which is to be told apart from what is
// wrong with the compressed data, and counts its bytes.
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

// decompressed is the decompressed input.
type decompressed struct {
	src    io.Reader
	packed *compressedSource
	name   string
	bytes  int64
	limit  int64 // of bytes, for one that grows by more than MaxRatio
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

// AvailableReader is a source that knows how many bytes it gives without
// blocking on whatever writes them, at least. A source that never blocks gives
// [math.MaxInt]. Such a source may be read by another goroutine than its
// Reader's, up to the end of the input or to [Reader.Reset].
type AvailableReader interface {
	Ready() int
}

// AvailableBytes is what a source reports as an [AvailableReader], or 0.
func AvailableBytes(src io.Reader) int {
	if r, ok := src.(AvailableReader); ok {
		return r.Ready()
	}
	return 0
}

// Sizes for unpacking ahead, in bytes.
const (
	aloneBytes  = 128 << 10 // that are unpacked before a goroutine is worth its while
	unpackBytes = 128 << 10 // of a block
)

// unpackedAhead is a decompressed input of which the next blocks are unpacked
// by a goroutine, because that takes longer than to judge them. The packed
// input is one that never blocks, so that stop does not, either.
type unpackedAhead struct {
	src    *decompressed
	blocks chan unpackedBlock // nil while no goroutine is at work
	free   chan []byte
	now    unpackedBlock
	rest   []byte // of now, not read yet
}

// unpackedBlock is what was unpacked at a time, with what ended it.
type unpackedBlock struct {
	data     []byte
	err      error
	panicked any // what the decompressor panicked with, or nil
}

// Ready implements [AvailableReader].
func (a *unpackedAhead) Ready() int { return math.MaxInt }

// Read panics with what the decompressor panicked with in its goroutine.
func (a *unpackedAhead) Read(p []byte) (int, error) {
	if a.blocks == nil && a.src.bytes < aloneBytes {
		return a.src.Read(p)
	}
	if a.blocks == nil {
		a.start()
	}
	for len(a.rest) == 0 && a.now.err == nil {
		if a.now.data != nil {
			a.free <- a.now.data
		}
		a.now = <-a.blocks
		if a.now.panicked != nil {
			panic(a.now.panicked)
		}
		a.rest = a.now.data
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	if len(a.rest) > 0 {
		return n, nil
	}
	return n, a.now.err
}

// start starts the goroutine.
func (a *unpackedAhead) start() {
	a.blocks, a.free = make(chan unpackedBlock, 2), make(chan []byte, 3)
	for range cap(a.free) {
		a.free <- make([]byte, unpackBytes)
	}
	go a.run()
}

func (a *unpackedAhead) run() {
	defer close(a.blocks)
	for room := range a.free {
		block := a.unpack(room[:cap(room)])
		a.blocks <- block
		if block.err != nil {
			return
		}
	}
}

// unpack fills the room with the next bytes.
func (a *unpackedAhead) unpack(room []byte) (block unpackedBlock) {
	defer func() {
		if cause := recover(); cause != nil {
			block = unpackedBlock{err: io.ErrUnexpectedEOF, panicked: cause}
		}
	}()
	n, err := io.ReadAtLeast(a.src, room, unpackBytes)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return unpackedBlock{data: room[:n], err: err}
}

// stop ends the goroutine. Nothing can be read afterwards.
func (a *unpackedAhead) stop() {
	if a.blocks == nil {
		return
	}
	close(a.free)
	for range a.blocks { // until it is closed
	}
}
