package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// Part is a part of a record as a record of its own. It is used again and again.
type Part struct {
	record Record
	root   value.Node
}

// TakeValue returns a value of the record as a record at the same place, with
// the problems in it. It is valid until the part is used again. Root of the
// receiver changes: it must not be used afterward, except for its problems.
func (r *Record) TakeValue(n *value.Node, part *Part) *Record {
	return r.take(n, part, r.pointer() != "")
}

// TakeElement is [Record.TakeValue] for a value in a list: pointers start at the
// receiver, as those of the records of a document do.
func (r *Record) TakeElement(n *value.Node, part *Part) *Record { return r.take(n, part, true) }

func (r *Record) take(n *value.Node, part *Part, hasPointer bool) *Record {
	rec := &part.record
	r.sliceTo(rec, n.Start, n.End)
	if hasPointer || len(r.Problems) > 0 {
		path := value.PointerTo(r.Root, n.Start)
		if hasPointer {
			rec.Pointer, path = r.pointer()+path, ""
		}
		for _, p := range r.Problems {
			if r.contains(n, p) {
				rec.Problems = append(rec.Problems, p.relativeTo(path))
			}
		}
	}
	part.root = *n
	rec.Root = &part.root
	rec.Root.Name, rec.Root.NameStart, rec.Root.NameEnd = "", 0, 0
	rec.Root.Move(-n.Start)
	return rec
}

// TakeBytes returns the text between the quotes of a string as a binary record.
func (r *Record) TakeBytes(n *value.Node) *Record {
	start := n.Start + n.ContentStart()
	rec := &Record{}
	r.sliceTo(rec, start, start+len(n.RawContent()))
	rec.Binary = true
	return rec
}

// sliceTo makes a record one of the bytes of Data from one offset up to another.
func (r *Record) sliceTo(rec *Record, from, to int) {
	*rec = Record{
		Index: r.Index, Conversation: r.Conversation, Data: r.Data[from:to:to], Start: r.PositionOf(from),
		Python: r.Python, Direction: r.Direction, Event: r.Event, origin: r.origin, base: r.base + from,
	}
}

// WithoutValue returns a gap with the problems of the record that are outside one
// of its values, or nil if there are none. A nil value means all problems.
func (r *Record) WithoutValue(n *value.Node) *Record {
	var problems []Problem
	for _, p := range r.Problems {
		if n == nil || !r.contains(n, p) {
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

// contains reports whether a problem is in a value of the record.
func (r *Record) contains(n *value.Node, p Problem) bool {
	span := r.spanOf(n.Start, n.End)
	return p.Kind != PythonLiteral && span.Start.Offset <= p.Place.Span.Start.Offset && p.Place.Span.End.Offset <= span.End.Offset
}

// SetUnreadable adds a fault that makes the record unusable, removes
// Root, and returns the record.
func (r *Record) SetUnreadable(f *value.Fault) *Record {
	before := r.Problems
	r.describe([]value.Fault{*f})
	r.Problems = append(before[:len(before):len(before)], r.Problems...)
	r.Root = nil
	return r
}

// relativeTo returns the problem with pointers that start at the value at path.
func (p Problem) relativeTo(path string) Problem {
	p.Place.Pointer = p.Place.Pointer[len(path):]
	if p.Related != nil {
		related := *p.Related
		related.Pointer = related.Pointer[len(path):]
		p.Related = &related
	}
	return p
}

// SetIndex sets the number of the record in its conversation, from 0, also in the
// places of its problems.
func (r *Record) SetIndex(index int) {
	r.Index = index
	for i := range r.Problems {
		r.Problems[i].Place.Record = index
		if related := r.Problems[i].Related; related != nil {
			related.Record = index
		}
	}
}

// Assign makes the record one of a conversation of its own, among several in a
// text. The readers of the outer text keep these numbers.
func (r *Record) Assign(conversation, index int) {
	r.Conversation, r.assigned = conversation, true
	r.SetIndex(index)
}

// IsAssigned reports whether the record has numbers that Assign set.
func (r *Record) IsAssigned() bool { return r.assigned }
