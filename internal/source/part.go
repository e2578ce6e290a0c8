package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// TakeValue returns a value of the record, in place, as a record of its own.
// What is wrong with it goes along. The tree of the record is spoilt by that.
func (r *Record) TakeValue(n *value.Node) *Record {
	rec := r.part(n.Start, n.End)
	path := value.PointerTo(r.Root, n.Start)
	if r.pointer() != "" {
		rec.Pointer, path = r.pointer()+path, ""
	}
	for _, p := range r.Problems {
		if r.holds(n, p) {
			rec.Problems = append(rec.Problems, p.below(path))
		}
	}
	root := *n
	root.Name, root.NameStart, root.NameEnd = "", 0, 0
	root.Move(-n.Start)
	rec.Root = &root
	return rec
}

// TakeBytes returns a record of what is between the quotes of a string.
func (r *Record) TakeBytes(n *value.Node) *Record {
	end := n.End - 1
	rec := r.part(end-len(n.RawContent()), end)
	rec.Binary = true
	return rec
}

// part is a record of some bytes of Data.
func (r *Record) part(from, to int) *Record {
	return &Record{
		Index: r.Index, Conversation: r.Conversation, Data: r.Data[from:to:to], Start: r.PositionOf(from),
		Python: r.Python, Direction: r.Direction, Event: r.Event, origin: r.origin, base: r.base + from,
	}
}

// WithoutValue returns what is wrong with the record but for one of its values, and nil if
// nothing is. With a nil value it is all that is wrong.
func (r *Record) WithoutValue(n *value.Node) *Record {
	var problems []Problem
	for _, p := range r.Problems {
		if n == nil || !r.holds(n, p) {
			p.Place.Record, p.Place.Pointer = -1, ""
			problems = append(problems, p)
		}
	}
	if problems == nil {
		return nil
	}
	left := *r
	left.IsGap, left.Root, left.Index, left.Pointer, left.Problems = true, nil, 0, "", problems
	return &left
}

// contains reports whether a problem is one of a value.
func (r *Record) holds(n *value.Node, p Problem) bool {
	span := r.spanOf(n.Start, n.End)
	return p.Kind != PythonLiteral && span.Start.Offset <= p.Place.Span.Start.Offset && p.Place.Span.End.Offset <= span.End.Offset
}

// SetUnreadable makes the record one of which nothing can be read because of a
// fault.
func (r *Record) SetUnreadable(f *value.Fault) *Record {
	before := r.Problems
	r.describe([]value.Fault{*f})
	r.Problems = append(before[:len(before):len(before)], r.Problems...)
	r.Root = nil
	return r
}

// below is a problem whose pointer begins at a value of the record.
func (p Problem) below(path string) Problem {
	p.Place.Pointer = p.Place.Pointer[len(path):]
	if p.Related != nil {
		related := *p.Related
		related.Pointer = related.Pointer[len(path):]
		p.Related = &related
	}
	return p
}

// SetIndex gives the record its number in its conversation.
func (r *Record) SetIndex(index int) {
	r.Index = index
	for i := range r.Problems {
		r.Problems[i].Place.Record = index
		if related := r.Problems[i].Related; related != nil {
			related.Record = index
		}
	}
}
