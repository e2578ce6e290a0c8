package source

import "io"

// Reader cuts an input into records.
type Reader struct {
	src     io.Reader
	options Options
	form    Form
}

// NewReader makes a reader of an input, plain or compressed with gzip or zstd.
// It reads nothing before the first call of Next.
func NewReader(r io.Reader, options Options) *Reader { return &Reader{src: r, options: options} }

// Form is the recorded form of the input; it is known after the first Next.
func (r *Reader) Form() Form { return r.form }

// Next returns the next record, or io.EOF at the end of the input. The record
// is valid until the next call. An error other than io.EOF is the input's own,
// with where it happened.
func (r *Reader) Next() (*Record, error) { return nil, io.EOF }

// Clone returns a copy of the record that stays valid.
func (r *Record) Clone() *Record { c := *r; return &c }

// Place is the place of the whole record.
func (r *Record) Place() Place { return Place{} }

// PlaceOf is the place of a value of the record. The node must hang on Root.
func (r *Record) PlaceOf(n *Node) Place { return Place{} }

// PlaceOfKey is the place of a member's name, with its quotes.
func (r *Record) PlaceOfKey(n *Node) Place { return Place{} }

// PlaceIn is the place of some bytes of a string's decoded text: from and to
// are byte offsets in Text.
func (r *Record) PlaceIn(n *Node, from, to int) Place { return Place{} }

// Text returns the decoded text of a string, and "" for any other value. A
// lone surrogate is decoded as U+FFFD.
func (n *Node) Text() string { return "" }

// Value returns the value as encoding/json would decode it into any, with
// numbers as json.Number. Exponents are clamped to ±400 so that no consumer
// is made to compute a number with a million digits.
func (n *Node) Value() any { return nil }
