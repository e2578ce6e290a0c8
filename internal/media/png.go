package media

import (
	"encoding/binary"
	"math"
)

// png follows the chunks of a PNG image by their lengths to the end of IEND.
type png struct {
	header [8]byte // length and type of the chunk at hand
	have   int     // bytes of header that are there
	skip   int64   // bytes to pass over before the next header
	last   bool    // the chunk at hand is IEND
	state  state
}

// state is how far the structure of an image was followed.
type state uint8

const (
	going state = iota
	ended       // the image is complete
	lost        // the structure is not as it should be: the end cannot be told
)

func newPNG() png { return png{skip: int64(len(pngSignature))} }

// feed takes in the next bytes and returns how many of them are the image's:
// fewer than all only if the image ends.
func (p *png) feed(data []byte) int {
	used := 0
	for used < len(data) && p.state == going {
		if p.skip > 0 {
			n := min(p.skip, int64(len(data)-used))
			used += int(n)
			p.pass(n)
			continue
		}
		n := copy(p.header[p.have:], data[used:])
		used += n
		p.have += n
		if p.have == len(p.header) {
			p.chunk()
		}
	}
	if p.state == lost {
		return len(data)
	}
	return used
}

// uninteresting is how many bytes are certain to be passed over, and not to
// end the image.
func (p *png) uninteresting() int {
	if p.state != going {
		return math.MaxInt32
	}
	return int(max(0, p.skip-1))
}

// pass passes over bytes of a chunk's data and checksum.
func (p *png) pass(n int64) {
	p.skip -= n
	if p.skip == 0 && p.last {
		p.state = ended
	}
}

// chunk begins the chunk whose header is there.
func (p *png) chunk() {
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
