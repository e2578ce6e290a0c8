package source

import (
	"sort"

	"github.com/lmclint/lmclint/internal/source/value"
)

// origin says where decoded text stands in the input: byte for byte, whatever
// escapes or line prefixes it was decoded from. It may be decoded from text that
// was itself decoded. An origin never changes and owns its memory, so that
// records and anchors may keep it.
type TextMap struct {
	Text  []byte   // what was decoded
	raw   []byte   // what it was decoded from, in one piece
	outer *TextMap // of whose text raw is a part; nil for the input itself
	from  int      // where raw begins in the text of outer
	marks []mark   // by text, the first at 0
	units value.Units
}

// mark is a place of which it is known where it stands.
type mark struct {
	text, raw int
	pos       value.Position // of raw, if that is a part of the input
}

// rawAt returns the offset in raw of a byte of the text. Within a unit it is
// where that begins, or ends if up is set.
func (o *TextMap) rawAt(offset int, up bool) (raw int, before mark) {
	before = o.markBefore(offset)
	at, raw := before.text, before.raw
	for at < offset && raw < len(o.raw) {
		written, decoded := o.units(o.raw[raw:])
		switch {
		case at+decoded <= offset:
		case written == decoded:
			return raw + offset - at, before
		case up:
			return raw + written, before
		default:
			return raw, before
		}
		at, raw = at+decoded, raw+written
	}
	for !up && raw < len(o.raw) {
		written, decoded := o.units(o.raw[raw:])
		if decoded > 0 {
			break
		}
		raw += written // nothing of the text: what begins here begins behind it
	}
	return raw, before
}

// markBefore returns the last mark that is not behind a byte of the text.
func (o *TextMap) markBefore(offset int) mark {
	behind := sort.Search(len(o.marks), func(i int) bool { return o.marks[i].text > offset })
	return o.marks[behind-1]
}

// inInput follows a byte of the text back to the input. It returns the raw
// bytes there with the offset in them, and a mark before it.
func (o *TextMap) inInput(offset int, up bool) (outermost *TextMap, raw int, before mark) {
	for {
		raw, before = o.rawAt(offset, up)
		if o.outer == nil {
			return o, raw, before
		}
		o, offset = o.outer, o.from+raw
	}
}

// position is the position in the input of a byte of the text. Within what
// cannot be parted it is where that begins, or ends if up is set.
func (o *TextMap) position(offset int, up bool) value.Position {
	outermost, raw, before := o.inInput(offset, up)
	return before.pos.Advance(outermost.raw[before.raw:raw])
}

// span is where the bytes of the text between two offsets stand.
func (o *TextMap) span(from, to int) value.Span {
	start := o.position(from, false)
	if from == to {
		return value.Span{Start: start, End: start}
	}
	return value.Span{Start: start, End: o.position(to, true)}
}

// excerpt cuts the window around a byte of the text from its line in the
// input. It does not reach beyond what the bytes from and to stand for.
func (o *TextMap) excerpt(from, to, offset, column int) Excerpt {
	outermost, raw, _ := o.inInput(offset, false)
	_, start, _ := o.inInput(from, false)
	_, end, _ := o.inInput(to, true)
	return excerpt(outermost.raw[start:max(raw, end)], raw-start, column)
}

// Decoded reports whether Data does not stand in the input as it is.
func (r *Record) Decoded() bool { return r.origin != nil }

// stand puts a record at a position of decoded text.
func (r *Record) stand(o *TextMap, at value.Position) {
	r.origin, r.base = o, int(at.Offset)
	r.Start = o.position(r.base, false)
}

// position is the position of a byte of Data. Within what cannot be parted it
// is where that begins.
func (r *Record) PositionOf(offset int) value.Position {
	if r.origin != nil {
		return r.origin.position(r.base+offset, false)
	}
	return r.advance(r.Start, 0, offset)
}

// spanOf is where some bytes of Data stand.
func (r *Record) spanOf(from, to int) value.Span {
	if r.origin != nil {
		return r.origin.span(r.base+from, r.base+to)
	}
	start := r.PositionOf(from)
	return value.Span{Start: start, End: r.advance(start, from, to)}
}

// advance moves a position over some bytes of Data, which stand at it.
func (r *Record) advance(p value.Position, from, to int) value.Position {
	if !r.flat {
		return p.Advance(r.Data[from:to])
	}
	return p.Along(to - from)
}

// excerptAt is the excerpt around a byte of Data.
func (r *Record) excerptAt(offset, column int) Excerpt {
	if r.origin != nil {
		return r.origin.excerpt(r.base, r.base+len(r.Data), r.base+offset, column)
	}
	return excerpt(r.Data, offset, column)
}
