package recognise

import (
	"bytes"
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Template is a valid record with at most one variable value. Its record is updated in
// place to each record that matches: only the variable value and the values after it
// change.
//
// Offsets in the record's tree are always correct for its Data. The other values keep
// their source text in the data of the record that the template was made of.
type Template struct {
	ID int // number of the template in its matcher, from 0 in the order in which they were added

	head    []byte     // of the record up to the value, with a string's opening quote; all of it if none varies
	tail    []byte     // from the value's end, with a string's closing quote
	next    []byte     // what is between the values of two lines that match: tail, a line feed, and head
	kind    value.Kind // of the value: String or Number; 0 if none varies
	ascii   bool       // head and tail are ASCII on one line
	hasFeed bool       // the record takes several lines

	showsJSON bool // the record has a literal that Python writes differently

	successors [successors]*Template // that came after the template, the latest first; nil at the end

	record *source.Record
	varies *value.Node   // the value that varies; nil if none does
	around []*value.Node // the values that contain it
	after  []*value.Node // the values after it, in the template's order
}

const lineFeed = "\n"

// Match describes a record that matches a template. Offsets are bytes from the
// start of the record. It has four fields because the compiler keeps larger
// structs in memory, where copying them took a tenth of the fast path's time.
type Match struct {
	From, To int // the value that varies, a string without its quotes; 0 if none does
	Size     int // of the record
	Traits   Traits
}

// Traits are properties of a match.
type Traits uint8

// The traits of a match.
const (
	HasEscapes  Traits = 1 << iota // in the value that varies
	HasNonASCII                    // the value may have characters beyond ASCII
)

// Has reports whether the match has a trait.
func (m Match) Has(t Traits) bool { return m.Traits&t != 0 }

// newTemplate returns a template of a record, which must stay valid. The value
// at offset at is variable; at is negative if none is.
func newTemplate(r *source.Record, at int) *Template {
	t := &Template{record: r}
	if at >= 0 {
		t.sort(r.Root, at)
	}
	t.head = r.Data
	if n := t.varies; n != nil {
		t.head, t.tail, t.kind = r.Data[:n.Start+n.QuoteSize()], r.Data[n.End-n.QuoteSize():], n.Kind
	}
	t.next = slices.Concat(t.tail, []byte(lineFeed), t.head)
	t.hasFeed = bytes.Contains(r.Data, []byte(lineFeed))
	t.ascii = isASCIILine(t.head) && isASCIILine(t.tail)
	t.showsJSON = r.Root.HasLiteral()
	return t
}

// isASCIILine reports whether text is ASCII without a line feed, so that it has
// as many columns as bytes.
func isASCIILine(text []byte) bool {
	for _, c := range text {
		if c == '\n' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Begins reports whether text has the record up to the value that varies.
func (t *Template) Begins(text []byte) bool { return bytes.HasPrefix(text, t.head) }

// match matches the record at the start of a window, within the limits of that: one of
// lines has a line end after the record. If it returns false and To is the size of the
// text, that ends within the variable value.
func (t *Template) match(w *source.Window) (m Match, ok bool) {
	if !t.Begins(w.Text) {
		return m, false
	}
	m.Size = len(t.head)
	if t.kind != 0 {
		m.From = len(t.head)
		if t.kind == value.Number {
			m.To = countEnd(w.Text, m.From)
			ok = m.To > m.From
		} else {
			var escaped, wide bool
			m.To, escaped, wide, ok = value.SkipText(w.Text, m.From)
			m.Traits = traitsOf(escaped, wide)
		}
		if !ok || !bytes.HasPrefix(w.Text[m.To:], t.tail) {
			return m, false
		}
		m.Size = m.To + len(t.tail)
	}
	isLine := !w.HasWholeRecords || !t.hasFeed && source.LineEndSize(w.Text[m.Size:]) > 0
	return m, m.Size <= w.Limit && isLine
}

func traitsOf(escaped, wide bool) (traits Traits) {
	if escaped {
		traits = HasEscapes
	}
	if wide {
		traits |= HasNonASCII
	}
	return traits
}

// countEnd returns the end of a positive whole number of at most nine digits,
// or from if there is none.
func countEnd(text []byte, from int) (end int) {
	end = from
	for end < len(text) && end-from < 9 && value.IsDigit(text[end]) {
		end++
	}
	if end > from && text[from] == '0' {
		return from
	}
	return end
}

// sort classifies the nodes of a subtree by their position relative to the
// variable value.
func (t *Template) sort(n *value.Node, at int) {
	switch {
	case n.Start == at:
		t.varies = n
		return
	case n.StartWithName() > at:
		t.after = append(t.after, n)
	case n.End > at:
		t.around = append(t.around, n)
	}
	for i := range n.Children {
		t.sort(&n.Children[i], at)
	}
}

// Record returns the template's record, which is always the same one.
func (t *Template) Record() *source.Record { return t.record }

// Fill updates the template's record to the one at the start of the window,
// which has the match m, and returns it.
func (t *Template) Fill(w *source.Window, m Match) *source.Record {
	r, n := t.record, t.varies
	w.Locate(r)
	if n == nil {
		return r
	}
	r.Data = w.Text[:m.Size:m.Size]
	end := m.To + n.QuoteSize()
	by := end - n.End
	n.End = end
	n.SetPlain(r.Data[n.Start:n.End], m.Has(HasEscapes))
	for _, n := range t.around {
		n.End += by
		n.SetRaw(r.Data[n.Start:n.End])
	}
	for _, n := range t.after {
		n.MoveShallow(by)
	}
	return r
}

// outline scans a record to compute the key of its template: a hash of
// everything but the variable value. It checks only what that needs, so the key of
// invalid text is meaningless.
//
// The variable value is the string or positive whole number of the member named
// variable, or of the member of that name in the object of that name.
type outline struct {
	text     []byte
	variable string // the member's name, with its quotes
	seed     maphash.Seed

	at       int // where it is: the size of text if that ends within the record
	depth    int
	kind     value.Kind // of the value that varies; 0 if there is none
	from, to int        // the value that varies, a string without its quotes
}

// key returns the hash of the record that was scanned.
func (o *outline) key() uint64 {
	return 31*maphash.Bytes(o.seed, o.text[:o.from]) + maphash.Bytes(o.seed, o.text[o.to:o.at])
}

// object scans an object. It returns false if a member has a value that is not
// plain, or text ends.
func (o *outline) object() bool {
	if !o.skip('{') || o.depth == 2 {
		return false
	}
	o.depth++
	for {
		o.space()
		if !o.member() {
			return false
		}
		if o.skip('}') {
			o.depth--
			return true
		}
		if !o.skip(',') {
			return false
		}
	}
}

// member scans a member.
func (o *outline) member() bool {
	from := o.at
	if !o.string() {
		return false
	}
	name := o.text[from+1 : o.at-1]
	if !o.skip(':') {
		return false
	}
	o.space()
	if o.at == len(o.text) {
		return false
	}
	if string(name) == o.variable {
		switch from := o.at + 1; o.text[o.at] {
		case '{':
			return o.object()
		case '"':
			end, _, _, ok := value.SkipText(o.text, from)
			if ok {
				o.kind, o.from, o.to, o.at = value.String, from, end, end+1
			} else if end == len(o.text) {
				o.at = end
			}
			return ok
		}
		if end := countEnd(o.text, o.at); end > o.at {
			o.kind, o.from, o.to, o.at = value.Number, o.at, end, end
			return true
		}
	}
	if o.text[o.at] == '"' {
		return o.string()
	}
	from = o.at
	o.at = value.WordEnd(o.text, from) // a number or a literal name
	return o.at > from
}

// skip skips whitespace and c, and reports whether c followed.
func (o *outline) skip(c byte) bool {
	o.space()
	if o.at == len(o.text) || o.text[o.at] != c {
		return false
	}
	o.at++
	return true
}

func (o *outline) space() { o.at += value.SpaceSize(o.text[o.at:]) }

// string scans a string without escapes.
func (o *outline) string() bool {
	if o.at == len(o.text) || o.text[o.at] != '"' {
		return false
	}
	end := bytes.IndexByte(o.text[o.at+1:], '"')
	if end < 0 {
		o.at = len(o.text)
		return false
	}
	o.at += end + 2
	return true
}
