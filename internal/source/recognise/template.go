package recognise

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Template is a valid record with at most one variable value.
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

	tree // of the record that Record returns
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
	t := &Template{tree: tree{record: r}}
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

// match matches the record at the start of text. If it returns false and To is the
// size of text, text ends within the variable value.
func (t *Template) match(text []byte) (m Match, ok bool) {
	if !t.Begins(text) {
		return m, false
	}
	m.Size = len(t.head)
	if t.kind == 0 {
		return m, true
	}
	m.From = len(t.head)
	m.To, m.Traits, ok = t.skipValue(text, m.From)
	if !ok || !bytes.HasPrefix(text[m.To:], t.tail) {
		return m, false
	}
	m.Size = m.To + len(t.tail)
	return m, true
}

// skipValue returns the end of the variable value that starts at from, a string
// after its quote. It returns false if the value is not an allowed one; the end
// is then the size of text if text ends within it.
func (t *Template) skipValue(text []byte, from int) (end int, traits Traits, ok bool) {
	if t.kind == value.Number {
		end = countEnd(text, from)
		return end, 0, end > from
	}
	end, escaped, wide, ok := value.SkipText(text, from)
	return end, traitsOf(escaped, wide), ok
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
