package source

import (
	"bytes"
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
	start, end := n.RawRange(from, to)
	return r.placeAt(n.Start+start, n.Start+end, r.pointerTo(n.Start))
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
func (r *Record) pointerTo(offset int) string { return r.pointerIn(r.Root, offset) }

// pointerIn is pointerTo for another tree of the same data.
func (r *Record) pointerIn(root *value.Node, offset int) string {
	var space [64]byte
	return string(value.AppendPointer(append(space[:0], r.pointer()...), root, offset))
}

func (r *Record) placeAt(from, to int, pointer string) Place {
	p := r.place(from, r.spanOf(from, to), pointer)
	if p.Span.End.Line > p.Span.Start.Line && r.origin == nil {
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
		text := data[from:]
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			text = bytes.TrimSuffix(text[:end], []byte{'\r'})
		}
		kept := text[:bytesAhead(text, runesAhead(text, ExcerptWidth))]
		next := ExcerptLine{Line: line, Text: validText(kept), CutRight: len(kept) < len(text)}
		if len(below) < MaxLinesBelow {
			below = append(below, next)
		} else {
			below[MaxLinesBelow-1] = next
		}
	}
}

// place is the place of a span that begins at Data[from].
func (r *Record) place(from int, span value.Span, pointer string) Place {
	number := r.Index
	if r.IsGap {
		number = -1
	}
	return Place{Span: span, Record: number, Pointer: pointer, Time: r.timeText(), Excerpt: r.excerptAt(from, span.Start.Column)}
}

// timeText returns the time of a record if its wrapper has it as text.
func (r *Record) timeText() string {
	if len(r.Time) < 2 || r.Time[0] != '"' {
		return ""
	}
	return string(r.Time[1 : len(r.Time)-1])
}

// ExcerptWidth is how many code points an excerpt has at most.
const ExcerptWidth = 160

// excerpt cuts the window around data[offset] from its line. Column is the
// column of offset.
func excerpt(data []byte, offset, column int) Excerpt {
	before, after := lineAround(data, offset)
	if len(before)+len(after) <= ExcerptWidth {
		line := data[offset-len(before) : offset+len(after)]
		return Excerpt{Text: validText(line), Column: column - runesBack(before, len(before))}
	}
	left := min(runesBack(before, ExcerptWidth), ExcerptWidth/2)
	right := runesAhead(after, ExcerptWidth-left)
	left = runesBack(before, ExcerptWidth-right)
	from := offset - bytesBack(before, left)
	to := offset + bytesAhead(after, right)
	return Excerpt{
		Text:     validText(data[from:to]),
		Column:   column - left,
		CutLeft:  from > offset-len(before),
		CutRight: to < offset+len(after),
	}
}

// lineAround returns the parts of a line before and after an offset. They
// may be shorter than the line, but not shorter than an excerpt and a byte.
func lineAround(data []byte, offset int) (before, after []byte) {
	const enough = (ExcerptWidth + 1) * utf8.UTFMax
	before = data[max(0, offset-enough):offset]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	after = data[offset:min(len(data), offset+enough)]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = bytes.TrimSuffix(after[:i], []byte{'\r'})
	}
	return before, after
}

// runesBack counts the code points at the end of text, up to most.
func runesBack(text []byte, most int) (n int) {
	if last := text[max(0, len(text)-most):]; isASCII(last) {
		return len(last)
	}
	for ; n < most && len(text) > 0; n++ {
		_, size := utf8.DecodeLastRune(text)
		text = text[:len(text)-size]
	}
	return n
}

// runesAhead counts the code points at the start of text, up to most.
func runesAhead(text []byte, most int) (n int) {
	if first := text[:min(len(text), most)]; isASCII(first) {
		return len(first)
	}
	for ; n < most && len(text) > 0; n++ {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	return n
}

// bytesBack returns how many bytes the last n code points of text have.
func bytesBack(text []byte, n int) (size int) {
	if isASCII(text[len(text)-n:]) {
		return n
	}
	for range n {
		_, last := utf8.DecodeLastRune(text[:len(text)-size])
		size += last
	}
	return size
}

// bytesAhead returns how many bytes the first n code points of text have.
func bytesAhead(text []byte, n int) (size int) {
	if isASCII(text[:n]) {
		return n
	}
	for range n {
		_, first := utf8.DecodeRune(text[size:])
		size += first
	}
	return size
}

// isASCII reports whether each byte is a code point.
func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// validText replaces each byte that is not UTF-8 with U+FFFD, so that columns do
// not change.
func validText(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var valid strings.Builder
	for _, r := range string(text) {
		valid.WriteRune(r)
	}
	return valid.String()
}

// maxKeptBytes is the maximum size of a record of which a PlaceRef copies the
// bytes.
const maxKeptBytes = 1 << 10

// PlaceRef is a place that is needed rarely, and after its record. Set copies at
// most a short record; Place computes the place. The zero PlaceRef has no place.
type PlaceRef struct {
	data        []byte
	ownsData    bool // data is a copy that the next Set may overwrite
	isValue     bool // the place is that of a value, not of the whole record
	python      bool // as in Record
	from, to    int
	start       value.Position
	index       int
	pointer     string // of the record
	listPointer []byte // as in Record
	origin      *TextMap
	base        int
	place       *Place // of a long record, computed by Set
}

// Set makes a refer to a value of a record, or to the whole record if n is nil.
// It reuses the memory of a.
func (a *PlaceRef) Set(r *Record, n *value.Node) {
	var own []byte
	if a.ownsData {
		own = a.data[:0]
	}
	*a = PlaceRef{start: r.Start, index: r.Index, pointer: r.Pointer, listPointer: r.listPointer, to: len(r.Data), isValue: n != nil, python: r.Python, origin: r.origin, base: r.base}
	if n != nil {
		a.from, a.to = n.Start, n.End
	}
	if r.IsGap {
		a.index = -1
	}
	switch {
	case r.immutable:
		a.data = r.Data
	case r.origin != nil:
		a.data = r.origin.Text[r.base : r.base+len(r.Data)]
	case len(r.Data) <= maxKeptBytes:
		own = append(own, r.Data...)
		a.data, a.ownsData = own, true
	default:
		a.data, a.ownsData = own, own != nil
		place := r.placeAt(a.from, a.to, a.pointerIn(r, r.Root))
		a.place = &place
	}
}

// Copy makes a refer to the place of b, in memory of its own.
func (a *PlaceRef) Copy(b *PlaceRef) {
	var own []byte
	if a.ownsData {
		own = a.data[:0]
	}
	*a = *b
	if b.ownsData {
		own = append(own, b.data...)
		a.data = own
	}
}

// Place returns the place of the last Set or Copy.
func (a *PlaceRef) Place() Place {
	if a.place != nil {
		return *a.place
	}
	r := Record{
		Index: a.index, Data: a.data, Start: a.start, IsGap: a.index < 0,
		Pointer: a.pointer, listPointer: a.listPointer, origin: a.origin, base: a.base,
	}
	var root *value.Node
	if a.isValue {
		root = a.scan()
	}
	return r.placeAt(a.from, a.to, a.pointerIn(&r, root))
}

// scan parses the record.
func (a *PlaceRef) scan() *value.Node {
	scan := value.Scanner{MaxDepth: value.MaxDepth, Python: a.python}
	return scan.Scan(a.data, true).Root
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
	if a.place != nil || a.data == nil {
		return nil
	}
	return &Record{
		Index: a.index, Data: a.data, Start: a.start, IsGap: a.index < 0, Python: a.python,
		Pointer: a.pointer, listPointer: a.listPointer, origin: a.origin, base: a.base,
	}
}

// IsPython reports whether the record is a Python literal.
func (a *PlaceRef) IsPython() bool { return a.python }

func (a *PlaceRef) pointerIn(r *Record, root *value.Node) string {
	if !a.isValue {
		return r.pointer()
	}
	return r.pointerIn(root, a.from)
}
