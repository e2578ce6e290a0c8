package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// anchorBytes is how long a record may be for an anchor to keep its bytes.
const anchorBytes = 1 << 10

// Anchor remembers a place for when the record is gone. It costs no more than
// a copy of a short record; the place is worked out only when it is asked for.
// The zero Anchor is nowhere.
type PlaceRef struct {
	data     []byte
	owned    bool // data is the anchor's own to write over
	inside   bool // a value of the record, not the whole
	python   bool // as in Record
	from, to int
	start    value.Position
	index    int
	pointer  string // of the record
	list     []byte // as in Record
	origin   *TextMap
	base     int
	place    *Place // at once for a long record
}

// At remembers the place of a value, or of the whole record if n is nil. What
// was remembered before is forgotten, and its memory used again.
func (a *PlaceRef) Set(r *Record, n *value.Node) {
	var own []byte
	if a.owned {
		own = a.data[:0]
	}
	*a = PlaceRef{start: r.Start, index: r.Index, pointer: r.Pointer, list: r.list, to: len(r.Data), inside: n != nil, python: r.Python, origin: r.origin, base: r.base}
	if n != nil {
		a.from, a.to = n.Start, n.End
	}
	if r.IsGap {
		a.index = -1
	}
	switch {
	case r.fixed:
		a.data = r.Data
	case r.origin != nil:
		a.data = r.origin.Text[r.base : r.base+len(r.Data)]
	case len(r.Data) <= anchorBytes:
		own = append(own, r.Data...)
		a.data, a.owned = own, true
	default:
		a.data, a.owned = own, own != nil
		place := r.placeAt(a.from, a.to, a.pointerIn(r, r.Root))
		a.place = &place
	}
}

// Copy makes a refer to the place of b, in memory of its own.
func (a *PlaceRef) Copy(b *PlaceRef) {
	var own []byte
	if a.owned {
		own = a.data[:0]
	}
	*a = *b
	if b.owned {
		a.data = append(own, b.data...)
	}
}

// Place is the place that was remembered.
func (a *PlaceRef) Place() Place {
	if a.place != nil {
		return *a.place
	}
	var root *value.Node
	if a.inside {
		scan := value.Scanner{MaxDepth: value.MaxDepth, Python: a.python}
		root = scan.Scan(a.data, true).Root
	}
	r := Record{
		Index: a.index, Data: a.data, Start: a.start, IsGap: a.index < 0,
		Pointer: a.pointer, list: a.list, origin: a.origin, base: a.base,
	}
	return r.placeAt(a.from, a.to, a.pointerIn(&r, root))
}

func (a *PlaceRef) pointerIn(r *Record, root *value.Node) string {
	if !a.inside {
		return r.pointer()
	}
	return r.pointerIn(root, a.from)
}
