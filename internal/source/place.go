package source

import (
	"bytes"
	"strconv"
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
		return Excerpt{Text: string(lineBefore) + string(lineAfter), Column: column - utf8.RuneCount(lineBefore)}
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
