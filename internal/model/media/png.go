package media

import (
	"encoding/binary"
	"math"
)

// state is how far the structure of an image was followed.
type state uint8

const (
	going state = iota
	ended       // the image is complete
	lost        // the structure is invalid, so the end cannot be found
)

// png follows the chunks of a PNG image by their lengths to the end of IEND.
type png struct {
	header [8]byte // length and type of the current chunk
	have   int     // bytes of header that were read
	skip   int64   // bytes before the next header
	last   bool    // the current chunk is IEND
	state  state
}

func newPNG() png { return png{skip: int64(len(pngSignature))} }

// feed reads the next bytes. It returns how many of them are the image's: fewer
// than all only if the image ends.
func (p *png) feed(data []byte) int {
	used := 0
	for used < len(data) && p.state == going {
		if p.skip > 0 {
			n := min(p.skip, int64(len(data)-used))
			used += int(n)
			p.advance(n)
			continue
		}
		n := copy(p.header[p.have:], data[used:])
		used += n
		p.have += n
		if p.have == len(p.header) {
			p.beginChunk()
		}
	}
	if p.state == lost {
		return len(data)
	}
	return used
}

// skippable returns how many of the next bytes have no effect and do not end
// the image.
func (p *png) skippable() int {
	if p.state != going {
		return math.MaxInt32
	}
	return int(max(0, p.skip-1))
}

// advance skips bytes of the data and checksum of a chunk.
func (p *png) advance(n int64) {
	p.skip -= n
	if p.skip == 0 && p.last {
		p.state = ended
	}
}

// beginChunk begins the chunk of the header.
func (p *png) beginChunk() {
	const checksum = 4
	p.have = 0
	length := binary.BigEndian.Uint32(p.header[:4])
	for _, c := range p.header[4:] {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			p.state = lost
			return
		}
	}
	if length > 1<<31-1 {
		p.state = lost
		return
	}
	p.skip = int64(length) + checksum
	p.last = string(p.header[4:]) == "IEND"
}
