package source

import "slices"

// newRecord makes the record that data holds, which stands at the start of
// the unread input, of what a scan said about it. It is the reader's only
// one: making the next spoils it.
func (r *Reader) newRecord(data []byte, pointer string, v verdict) *Record {
	r.record = Record{
		Index: r.index, Conversation: r.conversation, Pointer: pointer,
		Data: data, Start: r.in.pos, Root: v.root, Python: r.scan.python,
	}
	if r.origin != nil {
		r.record.stand(r.origin, r.in.pos)
	}
	faults := v.faults
	switch {
	case v.stop != nil:
		faults = append(faults, *v.stop)
	case v.root != nil && v.root.Kind != Object:
		faults = []fault{notAnObject(v.root)}
	}
	r.record.describe(r.tellPython(faults))
	r.index++
	return &r.record
}

// newBetween makes what stands between records, with its problems.
func (r *Reader) newBetween(data []byte, start Position, faults ...fault) *Record {
	r.record = Record{Conversation: r.conversation, Data: data, Start: start, IsGap: true, Python: r.scan.python}
	if r.origin != nil {
		r.record.stand(r.origin, start)
	}
	r.record.describe(faults)
	return &r.record
}

// tellPython adds to the faults of the first record that it is a Python literal.
func (r *Reader) tellPython(faults []fault) []fault {
	if r.told || !r.scan.python {
		return faults
	}
	r.told = true
	told := fault{kind: PythonLiteral, end: len(r.record.Data), detail: "records are Python literals, not JSON"}
	return slices.Insert(slices.Clone(faults), 0, told)
}

func notAnObject(n *Node) fault {
	return fault{kind: NotAnObject, start: n.Start, end: n.End, detail: "found " + kindPhrase(n.Kind) + ", expected an object"}
}

// describe turns faults into the record's problems.
func (r *Record) describe(faults []fault) {
	if len(faults) == 0 {
		return
	}
	at := r.locate(faults)
	r.Problems = make([]Problem, len(faults))
	for i, f := range faults {
		r.Problems[i] = Problem{Kind: f.kind, Place: r.faultPlace(f.start, f.end, at), Detail: f.detail, Related: f.place}
		if f.related != nil {
			related := r.faultPlace(f.related.start, f.related.end, at)
			r.Problems[i].Related = &related
		}
	}
}

func (r *Record) faultPlace(start, end int, at map[int]Position) Place {
	span := Span{at[start], at[end]}
	if r.origin != nil {
		span = r.spanOf(start, end)
	}
	return r.place(start, span, r.pointerTo(start))
}

// locate finds the positions of all faults in one pass over the data, if that
// stands in the input as it is.
func (r *Record) locate(faults []fault) map[int]Position {
	if r.origin != nil {
		return nil
	}
	var offsets []int
	for _, f := range faults {
		offsets = append(offsets, f.start, f.end)
		if f.related != nil {
			offsets = append(offsets, f.related.start, f.related.end)
		}
	}
	slices.Sort(offsets)
	at := make(map[int]Position, len(offsets))
	pos, done := r.Start, 0
	for _, offset := range offsets {
		pos, done = pos.advance(r.Data[done:offset]), offset
		at[offset] = pos
	}
	return at
}
