package source

// anchorBytes is how long a record may be for an anchor to keep its bytes.
const anchorBytes = 1 << 10

// Anchor remembers a place for when the record is gone. It costs no more than
// a copy of a short record; the place is worked out only when it is asked for.
// The zero Anchor is nowhere.
type Anchor struct {
	data     []byte
	from, to int
	start    Position
	index    int
	pointer  string
	place    *Place // at once for a long record
}

// At remembers the place of a value, or of the whole record if n is nil. What
// was remembered before is forgotten, and its memory used again.
func (a *Anchor) At(r *Record, n *Node) {
	*a = Anchor{data: a.data[:0], start: r.Start, index: r.Index, pointer: r.Pointer, to: len(r.Data)}
	if n != nil {
		a.from, a.to, a.pointer = n.Start, n.End, r.pointerTo(n.Start)
	}
	if r.Between {
		a.index = -1
	}
	if len(r.Data) <= anchorBytes {
		a.data = append(a.data, r.Data...)
		return
	}
	place := r.placeAt(a.from, a.to, a.pointer)
	a.place = &place
}

// Place is the place that was remembered.
func (a *Anchor) Place() Place {
	if a.place != nil {
		return *a.place
	}
	r := Record{Index: a.index, Data: a.data, Start: a.start, Between: a.index < 0}
	return r.placeAt(a.from, a.to, a.pointer)
}
