package source

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Place is the place of the whole record.
func (r *Record) Place() Place { return r.placeAt(0, len(r.Data), r.pointer()) }

// Span is the span of the whole record.
func (r *Record) Span() value.Span { return r.spanOf(0, len(r.Data)) }

// PlaceOf is the place of a value of the record. The node must be in Root.
func (r *Record) PlaceOf(n *value.Node) Place {
	return r.placeAt(n.Start, n.End, r.pointerTo(n.Start))
}

// PlaceOfKey is the place of a member's name, with its quotes. For a value
// that has none it is the place of the value.
func (r *Record) PlaceOfKey(n *value.Node) Place {
	if n.NameEnd == 0 {
		return r.PlaceOf(n)
	}
	return r.placeAt(n.NameStart, n.NameEnd, r.pointerTo(n.NameStart))
}

// PlaceIn is the place of a part of a string: from and to are byte offsets in
// its decoded text, Node.Text. The place includes escapes and code points of
// which only a part is between them. For any other value it is the value's place.
func (r *Record) PlaceIn(n *value.Node, from, to int) Place {
	if n.Kind != value.String {
		return r.PlaceOf(n)
	}
	start, end := r.TextOf(n).RawRange(from, to)
	return r.placeAt(n.Start+1+start, n.Start+1+end, r.pointerTo(n.Start))
}

// pointer is the pointer to the record. For a record of the fast path it is made
// on demand.
func (r *Record) pointer() string {
	if r.listPointer == nil {
		return r.Pointer
	}
	return string(strconv.AppendInt(r.listPointer[:len(r.listPointer):len(r.listPointer)], int64(r.Index), 10))
}

// pointerTo is the pointer to the innermost value at an offset of Data.
func (r *Record) pointerTo(offset int) string {
	var space [64]byte
	return string(value.AppendPointer(append(space[:0], r.pointer()...), r.Root, offset))
}

func (r *Record) placeAt(from, to int, pointer string) Place {
	p := r.place(from, r.spanOf(from, to), pointer)
	if p.Span.End.Line > p.Span.Start.Line && !r.IsDecoded() {
		p.Below = linesBelow(r.Data, from, to, p.Span.Start.Line)
	}
	return p
}

// MaxLinesBelow is how many further lines of a place on several lines a report
// gets, the last one included.
const MaxLinesBelow = 5

// linesBelow returns the lines after the first one of data[from:to], which is on a
// line with that number.
func linesBelow(data []byte, from, to, line int) (below []ExcerptLine) {
	for {
		i := bytes.IndexByte(data[from:to], '\n')
		if i < 0 {
			return below
		}
		from += i + 1
		line++
		start := excerpt(data, from, 1)
		next := ExcerptLine{Line: line, Text: start.Text, CutRight: start.CutRight}
		if len(below) < MaxLinesBelow {
			below = append(below, next)
		} else {
			below[MaxLinesBelow-1] = next
		}
	}
}

// place is the place of a span that begins at Data[from].
func (r *Record) place(from int, span value.Span, pointer string) Place {
	p := Place{Span: span, Record: r.Index, Pointer: pointer}
	switch {
	case r.origin != nil:
		p.Excerpt = r.origin.excerpt(r.base, r.base+len(r.Data), r.base+from, span.Start.Column)
	case r.lines != nil:
		p.Excerpt = excerpt(r.lines, from, span.Start.Column)
	default:
		p.Excerpt = excerpt(r.Data, from, span.Start.Column)
	}
	if r.IsGap {
		p.Record = -1
	}
	if len(r.Time) > 1 && r.Time[0] == '"' {
		p.Time = string(r.Time[1 : len(r.Time)-1])
	}
	return p
}

// ExcerptWidth is how many code points an excerpt has at most.
const ExcerptWidth = 160

// excerpt cuts the window around data[offset] from its line. Column is the
// column of offset. Each byte that is not UTF-8 becomes U+FFFD, so that columns do
// not change.
func excerpt(data []byte, offset, column int) Excerpt {
	const enough = (ExcerptWidth + 1) * utf8.UTFMax // bytes of the line on either side
	offset = value.RuneStart(data, offset)
	lineBefore, lineAfter := data[max(0, offset-enough):offset], data[offset:min(len(data), offset+enough)]
	lineBefore = lineBefore[bytes.LastIndexByte(lineBefore, '\n')+1:]
	if i := bytes.IndexByte(lineAfter, '\n'); i >= 0 {
		lineAfter = bytes.TrimSuffix(lineAfter[:i], []byte{'\r'})
	}
	if len(lineBefore)+len(lineAfter) <= ExcerptWidth && utf8.Valid(lineBefore) && utf8.Valid(lineAfter) {
		return Excerpt{Text: string(data[offset-len(lineBefore) : offset+len(lineAfter)]), Column: column - utf8.RuneCount(lineBefore)}
	}
	before, after := []rune(string(lineBefore)), []rune(string(lineAfter))
	left := min(len(before), ExcerptWidth/2)
	right := min(len(after), ExcerptWidth-left)
	left = min(len(before), ExcerptWidth-right)
	return Excerpt{
		Text:     string(before[len(before)-left:]) + string(after[:right]),
		Column:   column - left,
		CutLeft:  left < len(before),
		CutRight: right < len(after),
	}
}

// maxKeptBytes is the maximum size of a record of which a PlaceRef copies the
// bytes.
const maxKeptBytes = 4 << 10

// PlaceRef is a place that is needed rarely, and after its record. Set copies at
// most a short record; Place computes the place. The zero PlaceRef has no place.
type PlaceRef struct {
	record   Record // without its tree, problems and time; Data is nil for a long one
	copied   []byte // Data, if that is a copy, in memory that the next Set overwrites
	isValue  bool   // the place is that of a value, not of the whole record
	from, to int
	place    *Place // of a long record, computed by Set
}

// Set makes a refer to a value of a record, or to the whole record if n is nil.
// It reuses the memory of a.
func (a *PlaceRef) Set(r *Record, n *value.Node) {
	*a = PlaceRef{record: *r, copied: a.copied[:0], isValue: n != nil, to: len(r.Data)}
	a.record.Root, a.record.Problems, a.record.faults, a.record.Time = nil, nil, nil, nil
	if n != nil {
		a.from, a.to = n.Start, n.End
	}
	switch {
	case r.lines != nil: // Data is a copy
	case r.origin != nil:
		a.record.Data = r.origin.Text[r.base : r.base+len(r.Data)]
	case len(r.Data) <= maxKeptBytes:
		a.copied = append(a.copied, r.Data...)
		a.record.Data = a.copied
	default:
		a.record.Data = nil
		place := a.placeIn(r)
		a.place = &place
	}
}

// RefTo returns a new PlaceRef, after Set.
func RefTo(r *Record, n *value.Node) *PlaceRef {
	a := &PlaceRef{}
	a.Set(r, n)
	return a
}

// Copy makes a refer to the place of b, in memory of its own.
func (a *PlaceRef) Copy(b *PlaceRef) {
	copied := a.copied[:0]
	copied = append(copied, b.copied...)
	*a = *b
	a.copied = copied
	if len(b.copied) > 0 {
		a.record.Data = a.copied
	}
}

// Place returns the place of the last Set or Copy.
func (a *PlaceRef) Place() Place {
	if a.place != nil {
		return *a.place
	}
	r := a.record
	if a.isValue {
		r.Root = a.scan()
	}
	return a.placeIn(&r)
}

func (a *PlaceRef) placeIn(r *Record) Place {
	if !a.isValue {
		return r.Place()
	}
	return r.placeAt(a.from, a.to, r.pointerTo(a.from))
}

// scan parses the record.
func (a *PlaceRef) scan() *value.Node {
	scan := value.Scanner{MaxDepth: value.MaxDepth, Python: a.record.Python}
	return scan.Scan(a.record.Data, true).Root
}

// Record returns the record that a refers to, or nil for a long one, whose bytes
// are not kept.
func (a *PlaceRef) Record() *Record {
	r := a.Unparsed()
	if r != nil {
		r.Root = a.scan()
	}
	return r
}

// Unparsed is Record without the value of the record.
func (a *PlaceRef) Unparsed() *Record {
	if a.record.Data == nil {
		return nil
	}
	r := a.record
	return &r
}

// IsPython reports whether the record is a Python literal.
func (a *PlaceRef) IsPython() bool { return a.record.Python }

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
