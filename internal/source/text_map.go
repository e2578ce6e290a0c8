package source

import (
	"bytes"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// TextMap maps the bytes of decoded text to positions in the input, through the
// escapes that the text was decoded from. The text may be
// decoded from text that was itself decoded. A TextMap is immutable and owns its
// memory, so that records and a PlaceRef may keep it.
type TextMap struct {
	Text  []byte   // the decoded text
	raw   []byte   // the text that it was decoded from
	outer *TextMap // the map of the text that contains raw; nil if raw is in the input
	from  int      // offset of raw in the text of outer
	marks []mark   // by text, the first at 0
	units value.Units

	isJSON bool // raw is from a string of JSON, in which text can be written
}

// mark is an offset in the text with the offset in raw and the position in the
// input that it corresponds to.
type mark struct {
	text, raw int
	pos       value.Position // if raw is in the input
}

// rawAt returns the offset in raw of a byte of the text, and the last mark before
// it. Within a unit, such as an escape, it is the start of the unit, or the end
// if up is set.
func (o *TextMap) rawAt(offset int, up bool) (raw int, before mark) {
	behind := sort.Search(len(o.marks), func(i int) bool { return o.marks[i].text > offset })
	before = o.marks[behind-1]
	at, raw := before.text, before.raw
	for at < offset && raw < len(o.raw) {
		written, decoded := o.units(o.raw[raw:])
		switch {
		case at+decoded <= offset:
		case written == decoded:
			inside := raw + offset - at
			start := value.RuneStart(o.raw, inside)
			if up && start < inside { // the end of the code point
				_, size := utf8.DecodeRune(o.raw[start:])
				return start + size, before
			}
			return start, before
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
		raw += written // the unit decodes to nothing: the byte is after it
	}
	return raw, before
}

// RawRange returns the range of the text that a range of Text was decoded from, extended
// to whole units and code points.
func (o *TextMap) RawRange(from, to int) (start, end int) {
	start, _ = o.rawAt(from, false)
	end, _ = o.rawAt(to, true)
	return start, end
}

// resolve returns the map whose raw bytes are in the input, the offset in them of
// a byte of the text, and a mark before it.
func (o *TextMap) resolve(offset int, up bool) (outermost *TextMap, raw int, before mark) {
	for {
		raw, before = o.rawAt(offset, up)
		if o.outer == nil {
			return o, raw, before
		}
		o, offset = o.outer, o.from+raw
	}
}

// position is the position in the input of a byte of the text. Within a unit it
// is the start of the unit, or the end if up is set.
func (o *TextMap) position(offset int, up bool) value.Position {
	outermost, raw, before := o.resolve(offset, up)
	return before.pos.Advance(outermost.raw[before.raw:raw])
}

// excerpt returns the excerpt around the byte at offset from its line in the
// input. It is within the part of the input that from and to delimit.
func (o *TextMap) excerpt(from, to, offset, column int) Excerpt {
	outermost, raw, _ := o.resolve(offset, false)
	_, start, _ := o.resolve(from, false)
	_, end, _ := o.resolve(to, true)
	return excerpt(outermost.raw[start:max(raw, end)], raw-start, column)
}

// IsDecoded reports whether Data is not verbatim in the input.
func (r *Record) IsDecoded() bool { return r.origin != nil || r.lines != nil }

// PositionOf returns the position in the input of a byte of Data, or of the start
// of the escape that contains it.
func (r *Record) PositionOf(offset int) value.Position {
	if r.origin != nil {
		return r.origin.position(r.base+offset, false)
	}
	return r.advance(r.Start, 0, offset)
}

// spanOf returns the span in the input of the bytes of Data between two offsets.
func (r *Record) spanOf(from, to int) value.Span {
	if r.origin != nil {
		start := r.origin.position(r.base+from, false)
		if from == to {
			return value.Span{Start: start, End: start}
		}
		return value.Span{Start: start, End: r.origin.position(r.base+to, true)}
	}
	start := r.PositionOf(from)
	return value.Span{Start: start, End: r.advance(start, from, to)}
}

// advance moves the position of Data[from] to that of Data[to].
func (r *Record) advance(p value.Position, from, to int) value.Position {
	if !r.asciiLine {
		return p.Advance(r.Data[from:to])
	}
	return p.AdvanceASCII(to - from)
}

// markEvery is about how many raw bytes are between two marks. It bounds the cost
// of a lookup, of which a record takes several.
const markEvery = 1 << 7

// NewTextMap returns the map of text that was decoded from raw, a part of the
// input at a position. Raw must consist of whole units and never change.
func NewTextMap(text, raw []byte, at value.Position, units value.Units) *TextMap {
	o := &TextMap{Text: text, raw: raw, units: units}
	o.addMarks(at)
	return o
}

// Inner returns the map of text that was decoded from the text of o between two
// offsets.
func (o *TextMap) Inner(text []byte, from, to int, units value.Units) *TextMap {
	next := &TextMap{Text: text, raw: o.Text[from:to:to], outer: o, from: from, units: units}
	next.addMarks(value.Position{})
	return next
}

// addMarks sets the marks, which are at starts of units. The first is at the position at.
func (o *TextMap) addMarks(at value.Position) {
	last := mark{pos: at}
	o.marks = append(o.marks, last)
	for text, raw := 0, 0; raw < len(o.raw); {
		written, decoded := o.units(o.raw[raw:])
		if text, raw = text+decoded, raw+written; raw-last.raw < markEvery {
			continue
		}
		next := mark{text: text, raw: raw}
		if o.outer == nil {
			next.pos = last.pos.Advance(o.raw[last.raw:raw])
		}
		o.marks = append(o.marks, next)
		last = next
	}
}

// TextOf returns the map of the decoded text of a string in Root.
func (r *Record) TextOf(n *value.Node) *TextMap {
	inside := n.RawContent()
	text := n.AppendText(make([]byte, 0, len(inside)))
	from := n.Start + 1
	var o *TextMap
	if r.origin != nil {
		o = r.origin.Inner(text, r.base+from, r.base+from+len(inside), n.Units())
	} else {
		o = NewTextMap(text, bytes.Clone(inside), r.PositionOf(from), n.Units())
	}
	o.isJSON = !r.Python
	return o
}

// Rewrite returns the part of the input that decoded Data between two offsets was
// read from, and a text as it must be written there instead. It returns false if that
// is impossible: an offset is inside an escape, or the record is decoded from text
// that cannot be written back, such as base64.
func (r *Record) Rewrite(from, to int, text string) (span value.Span, written string, ok bool) {
	span = r.spanOf(from, to)
	if r.lines != nil && strings.ContainsAny(text, "\r\n") { // it would begin a line without a field
		return value.Span{}, "", false
	}
	from, to = r.base+from, r.base+to
	for o := r.origin; o != nil; o = o.outer {
		start, _ := o.rawAt(from, false)
		startUp, _ := o.rawAt(from, true)
		end, _ := o.rawAt(to, false)
		endUp, _ := o.rawAt(to, true)
		if !o.isJSON || start != startUp || end != endUp || !utf8.ValidString(text) {
			return value.Span{}, "", false
		}
		text = string(value.AppendEscaped(nil, []byte(text), '"'))
		from, to = o.from+start, o.from+end
	}
	return span, text, true
}
