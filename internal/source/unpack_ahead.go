package source

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

// unpackedBlock is what was unpacked at once, with what ended it.
type unpackedBlock struct {
	data []byte
	err  error
}

// Ready implements [Ready].
func (a *unpackedAhead) Ready() int { return math.MaxInt }

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
		a.rest = a.now.data
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	if len(a.rest) > 0 {
		return n, nil
	}
	return n, a.now.err
}

// start begins to unpack ahead.
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
		n, err := io.ReadAtLeast(a.src, room[:cap(room)], unpackBytes)
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		a.blocks <- unpackedBlock{room[:n], err}
		if err != nil {
			return
		}
	}
}

// stop ends the goroutine. Nothing can be read behind it.
func (a *unpackedAhead) stop() {
	if a.blocks == nil {
		return
	}
	close(a.free)
	for range a.blocks { // until it is closed
	}
}
