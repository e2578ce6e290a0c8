package source

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Place is the place of the whole record.
func (r *Record) Place() Place { return r.placeAt(0, len(r.Data), r.pointer()) }

// PlaceOf is the place of a value of the record. The node must hang on Root.
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

// PlaceIn is the place of some bytes of a string's decoded text: from and to
// are byte offsets in Text. An escape or a code point is never cut in two.
// For a value that is no string it is the place of the value.
func (r *Record) PlaceIn(n *value.Node, from, to int) Place {
	if n.Kind != value.String {
		return r.PlaceOf(n)
	}
	start, end := n.RawRange(from, to)
	return r.placeAt(n.Start+start, n.Start+end, r.pointerTo(n.Start))
}

// pointer is the pointer to the record. For a record that was recognised it is
// made up when somebody asks.
func (r *Record) pointer() string {
	if r.list == nil {
		return r.Pointer
	}
	return string(strconv.AppendInt(r.list[:len(r.list):len(r.list)], int64(r.Index), 10))
}

// pointerTo is the pointer to the innermost value at an offset of Data.
func (r *Record) pointerTo(offset int) string { return r.pointerIn(r.Root, offset) }

// pointerIn is pointerTo for a tree that was the record's.
func (r *Record) pointerIn(root *value.Node, offset int) string {
	var space [64]byte
	return string(value.AppendPointer(append(space[:0], r.pointer()...), root, offset))
}

func (r *Record) placeAt(from, to int, pointer string) Place {
	return r.place(from, r.spanOf(from, to), pointer)
}

// place is the place of a span that begins at Data[from].
func (r *Record) place(from int, span value.Span, pointer string) Place {
	number := r.Index
	if r.IsGap {
		number = -1
	}
	return Place{Span: span, Record: number, Pointer: pointer, Excerpt: r.excerptAt(from, span.Start.Column)}
}
