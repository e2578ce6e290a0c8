package media

import (
	"bytes"
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

// jpeg follows the markers of a JPEG image to its EOI. It skips segments by
// their lengths, so that a thumbnail in one does not end the image.
type jpeg struct {
	at     place
	state  state
	marker byte    // of the current segment
	length int     // bytes left of the current segment
	label  [4]byte // first bytes of an APP2 segment
	have   int     // bytes of label that were read
	joined bool    // an APP2 segment announces more images: a multi-picture file
}

// place is what the next byte of a JPEG image is.
type place uint8

const (
	prefix   place = iota // the 0xFF of a marker
	code                  // a marker
	high                  // the high byte of a segment's length
	low                   // its low byte
	label                 // the first bytes of an APP2 segment
	segment               // a byte of a segment, to be skipped
	scan                  // entropy-coded data
	scanCode              // after a 0xFF in entropy-coded data
)

// The markers that matter.
const (
	markerTEM  = 0x01
	markerRST0 = 0xD0
	markerRST7 = 0xD7
	markerSOI  = 0xD8
	markerEOI  = 0xD9
	markerSOS  = 0xDA
	markerAPP2 = 0xE2
)

// newJPEG starts after SOI, which is part of the signature.
func newJPEG() jpeg { return jpeg{at: segment, length: 2, marker: markerSOI} }

// feed reads the next bytes. It returns how many of them are the image's: fewer
// than all only if the image ends.
func (j *jpeg) feed(data []byte) int {
	used := 0
	for used < len(data) && j.state == going {
		switch j.at {
		case segment:
			n := min(j.length, len(data)-used)
			used += n
			j.length -= n
			j.endSegment()
		case scan:
			i := bytes.IndexByte(data[used:], 0xFF)
			if i < 0 {
				return len(data)
			}
			used += i + 1
			j.at = scanCode
		default:
			j.step(data[used])
			used++
		}
	}
	if j.state == lost {
		return len(data)
	}
	return used
}

// step reads one byte of the structure.
func (j *jpeg) step(c byte) {
	switch j.at {
	case prefix:
		j.at = code
		if c != 0xFF {
			j.state = lost
		}
	case code:
		j.beginMarker(c)
	case scanCode:
		if c == 0 || c >= markerRST0 && c <= markerRST7 {
			j.at = scan
			return
		}
		j.beginMarker(c)
	case high:
		j.length = int(c) << 8
		j.at = low
	case low:
		j.beginSegment(j.length | int(c))
	case label:
		j.readLabel(c)
	}
}

// beginMarker follows a marker.
func (j *jpeg) beginMarker(c byte) {
	switch {
	case c == 0xFF: // a fill byte
	case c == markerEOI:
		j.state = ended
		if j.joined {
			j.state = lost
		}
	case c == 0, c == markerSOI:
		j.state = lost
	case c == markerTEM, c >= markerRST0 && c <= markerRST7:
		j.at = prefix
	default:
		j.marker = c
		j.at = high
	}
}

// beginSegment begins a segment. The length includes its own two bytes.
func (j *jpeg) beginSegment(length int) {
	if length < 2 {
		j.state = lost
		return
	}
	j.length = length - 2
	j.at = segment
	if j.marker == markerAPP2 && j.length >= len(j.label) {
		j.at = label
		j.have = 0
	}
	j.endSegment()
}

// readLabel reads a byte of the label of an APP2 segment.
func (j *jpeg) readLabel(c byte) {
	j.label[j.have] = c
	j.have++
	j.length--
	if j.have == len(j.label) {
		j.joined = j.joined || string(j.label[:]) == "MPF\x00"
		j.at = segment
		j.endSegment()
	}
}

// endSegment continues after the current segment, if it has ended.
func (j *jpeg) endSegment() {
	switch {
	case j.at != segment || j.length > 0:
	case j.marker == markerSOS:
		j.at = scan
	default:
		j.at = prefix
	}
}
