package source

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// newRecord makes the record that data holds, which stands at the start of
// the unread input, of what a scan said about it. It is the reader's only
// one: making the next spoils it.
func (r *Reader) newRecord(data []byte, pointer string, v value.Result) *Record {
	r.record = Record{
		Index: r.index, Conversation: r.conversation, Pointer: pointer,
		Data: data, Start: r.in.pos, Root: v.Root, Python: r.scan.Python,
	}
	if r.origin != nil {
		r.record.stand(r.origin, r.in.pos)
	}
	faults := v.Faults
	switch {
	case v.Stop != nil:
		faults = append(faults, *v.Stop)
	case v.Root != nil && v.Root.Kind != value.Object:
		faults = []value.Fault{notAnObject(v.Root)}
	}
	r.record.describe(r.tellPython(faults))
	r.index++
	return &r.record
}

// newBetween makes what stands between records, with its problems.
func (r *Reader) newBetween(data []byte, start value.Position, faults ...value.Fault) *Record {
	r.record = Record{Conversation: r.conversation, Data: data, Start: start, IsGap: true, Python: r.scan.Python}
	if r.origin != nil {
		r.record.stand(r.origin, start)
	}
	r.record.describe(faults)
	return &r.record
}

// tellPython adds to the faults of the first record that it is a Python literal.
func (r *Reader) tellPython(faults []value.Fault) []value.Fault {
	if r.told || !r.scan.Python {
		return faults
	}
	r.told = true
	told := value.Fault{Kind: PythonLiteral, End: len(r.record.Data), Detail: "records are Python literals, not JSON"}
	return slices.Insert(slices.Clone(faults), 0, told)
}

func notAnObject(n *value.Node) value.Fault {
	return value.Fault{Kind: NotAnObject, Start: n.Start, End: n.End, Detail: "found " + value.KindPhrase(n.Kind) + ", expected an object"}
}

// describe turns faults into the record's problems.
func (r *Record) describe(faults []value.Fault) {
	if len(faults) == 0 {
		return
	}
	at := r.locate(faults)
	r.Problems = make([]Problem, len(faults))
	for i, f := range faults {
		r.Problems[i] = Problem{Kind: f.Kind, Place: r.faultPlace(f.Start, f.End, at), Detail: f.Detail}
		if f.Related != nil {
			related := r.faultPlace(f.Related.Start, f.Related.End, at)
			r.Problems[i].Related = &related
		}
	}
}

func (r *Record) faultPlace(start, end int, at map[int]value.Position) Place {
	span := value.Span{Start: at[start], End: at[end]}
	if r.origin != nil {
		span = r.spanOf(start, end)
	}
	return r.place(start, span, r.pointerTo(start))
}

// locate finds the positions of all faults in one pass over the data, if that
// stands in the input as it is.
func (r *Record) locate(faults []value.Fault) map[int]value.Position {
	if r.origin != nil {
		return nil
	}
	var offsets []int
	for _, f := range faults {
		offsets = append(offsets, f.Start, f.End)
		if f.Related != nil {
			offsets = append(offsets, f.Related.Start, f.Related.End)
		}
	}
	slices.Sort(offsets)
	at := make(map[int]value.Position, len(offsets))
	pos, done := r.Start, 0
	for _, offset := range offsets {
		pos, done = pos.Advance(r.Data[done:offset]), offset
		at[offset] = pos
	}
	return at
}
