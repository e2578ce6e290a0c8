package source

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Part is a part of a record as a record of its own. It is used again and again.
type Part struct {
	record Record
	root   value.Node

	last   value.Position // of the last element
	offset int            // of last, in the record
}

// Begin prepares the part for the elements of a record.
func (p *Part) Begin(r *Record) { p.last, p.offset = r.Start, 0 }

// TakeValue returns a value of the record as a record at the same place, with
// the problems in it. It is valid until the part is used again. Root of the
// receiver changes: it must not be used afterward, except for its problems.
func (r *Record) TakeValue(n *value.Node, part *Part) *Record {
	return r.take(n, part, r.PositionOf(n.Start), r.pointer() != "")
}

// TakeElement is [Record.TakeValue] for a value in a list: pointers start at the
// receiver, as those of the records of a document do. Elements are taken in the order
// of the source, after [Part.Begin]: the text before the last one is not searched again.
func (r *Record) TakeElement(n *value.Node, part *Part) *Record {
	if n.Start < part.offset {
		part.Begin(r)
	}
	if r.origin != nil {
		return r.take(n, part, r.PositionOf(n.Start), true)
	}
	part.last, part.offset = r.advance(part.last, part.offset, n.Start), n.Start
	return r.take(n, part, part.last, true)
}

func (r *Record) take(n *value.Node, part *Part, start value.Position, hasPointer bool) *Record {
	rec := &part.record
	r.sliceTo(rec, n.Start, n.End, start)
	if hasPointer {
		rec.Pointer = r.pointerTo(n.Start)
	}
	part.root = *n
	rec.Root = &part.root
	rec.Root.Name, rec.Root.NameStart, rec.Root.NameEnd = "", 0, 0
	var inside []value.Fault
	for _, f := range r.faults {
		if isInside(f, n) {
			inside = append(inside, f.Moved(-n.Start))
		}
	}
	rec.Root.Move(-n.Start)
	rec.describe(inside)
	return rec
}

// TakeBytes returns the text between the quotes of a string as a binary record.
func (r *Record) TakeBytes(n *value.Node) *Record {
	start := n.Start + 1
	rec := &Record{}
	r.sliceTo(rec, start, start+len(n.RawContent()), r.PositionOf(start))
	rec.Binary = true
	return rec
}

// sliceTo makes a record one of the bytes of Data from one offset up to another, which
// start at a position.
func (r *Record) sliceTo(rec *Record, from, to int, start value.Position) {
	*rec = Record{
		Index: r.Index, Conversation: r.Conversation, Data: r.Data[from:to:to], Start: start,
		Python: r.Python, Frame: r.Frame, origin: r.origin, base: r.base + from,
	}
	if r.lines != nil {
		rec.lines = r.lines[from:to:to]
	}
}

// WithoutValues returns a gap with the problems of the record that are outside some of
// its values, or nil if there are none.
func (r *Record) WithoutValues(values ...*value.Node) *Record {
	var problems []Problem
	for i, f := range r.faults {
		if !slices.ContainsFunc(values, func(n *value.Node) bool { return isInside(f, n) }) {
			problem := r.Problems[i]
			problem.Place.Record, problem.Place.Pointer = -1, ""
			problems = append(problems, problem)
		}
	}
	if problems == nil {
		return nil
	}
	left := *r
	left.IsGap, left.Root, left.Index, left.Pointer, left.Problems, left.faults = true, nil, 0, "", problems, nil
	return &left
}

// isInside reports whether a fault of a record is in one of its values.
func isInside(f value.Fault, n *value.Node) bool { return n.Start <= f.Start && f.End <= n.End }

// SetUnreadable adds a fault that makes the record unusable, removes
// Root, and returns the record.
func (r *Record) SetUnreadable(f *value.Fault) *Record {
	r.describe(append(slices.Clip(r.faults), *f))
	r.Root = nil
	return r
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
