package text

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// elements reads the elements of the list of a JSON document: the entries of a HAR, the
// cells of a notebook. An element is loaded whole, and has values that contain records.
type elements struct {
	cur    *source.Cursor
	list   source.RecordReader // nil if the document has none
	begun  bool
	whole  *source.Record // the last element
	values []*value.Node  // in it, which were not read yet
	text   *source.Nested // the records of the last value that was read, or nil
}

// maxElementValues is how many values an element may have: those of a long connection.
const maxElementValues = 64 * value.MaxValues

// begin moves to the elements of a list in the object at the unread text. It returns a
// gap with the problems before them, or nil.
func (e *elements) begin(name string) *source.Record {
	e.begun = true
	e.cur.Scan.MaxValues = maxElementValues
	var gap *source.Record
	e.list, gap = e.cur.ElementsOf(name)
	return gap
}

// fromText returns the next record of the current text, or nil.
func (e *elements) fromText() *source.Record {
	if e.text == nil {
		return nil
	}
	rec := e.text.Next()
	if rec == nil {
		e.text = nil
	}
	return rec
}

// next returns the next value of an element, those in the next element if the last one
// has no other. Values returns them. It returns a gap for an element that is invalid.
func (e *elements) next(values func(element *value.Node) []*value.Node) (n *value.Node, gap *source.Record, err error) {
	for len(e.values) == 0 {
		if e.list == nil {
			e.cur.In.All().Discard()
			return nil, nil, e.cur.In.End()
		}
		index := e.cur.Index // which counts records, not elements
		rec, err := e.list.Next()
		e.cur.Index = index
		switch {
		case err != nil:
			return nil, nil, err
		case rec == nil:
			e.list = nil
			continue
		case rec.IsGap:
			return nil, rec, nil
		}
		if rec.Root == nil || rec.Root.Kind != value.Object {
			return nil, rec.WithoutValues(), nil
		}
		if len(values(rec.Root)) > 0 {
			e.whole = rec.Clone() // reading on overwrites the element
			e.whole.Pointer = ""
			e.values = values(e.whole.Root)
		}
	}
	n, e.values = e.values[0], e.values[1:]
	return n, nil, nil
}
