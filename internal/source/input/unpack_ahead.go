package input

import (
	"io"
	"math"
)

// Sizes for unpacking ahead, in bytes.
const (
	aloneBytes  = 128 << 10 // that are unpacked before a goroutine is worth its while
	unpackBytes = 128 << 10 // of a block
)

// unpackedAhead is a decompressed input of which the next blocks are unpacked
// by a goroutine, because that takes longer than to judge them. The packed
// input is one that keeps nobody waiting, so that stop does not, either.
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
