package source

import (
	"bytes"
	"slices"
)

// envelope reads an object whose list of records is read one by one.
type envelope struct {
	r       *Reader
	list    *array
	data    []byte   // the object up to its list
	start   Position // of data
	members []Node   // of data
}

// newEnvelope begins to read the envelope at the start of the unread input.
// The record tells what is wrong before the list; it is nil if nothing is.
func (r *Reader) newEnvelope(head *envelopeHead) (*envelope, *Record) {
	e := &envelope{
		r: r, start: r.in.pos, members: slices.Clone(head.members),
		data: bytes.Clone(r.in.rest()[:head.list+1]),
	}
	r.in.skip(head.list + 1)
	e.list = newArray(r, "/"+listName)
	if len(head.faults) == 0 {
		return e, nil
	}
	return e, r.newBetween(e.data, e.start, head.faults...)
}

// next gives the records of the list, and then what is wrong behind it. It
// returns nil at the envelope's end.
func (e *envelope) next() (*Record, error) {
	if e.list == nil {
		return nil, nil
	}
	if rec, err := e.list.next(); rec != nil || err != nil {
		return rec, err
	}
	closed := e.list.closed
	e.list = nil
	if !closed {
		return nil, nil
	}
	return e.tail()
}

// tail reads what stands behind the list.
func (e *envelope) tail() (*Record, error) {
	in := &e.r.in
	limit := int(e.r.options.MaxRecordBytes)
	b := bracketMatcher{python: e.r.scan.python, begun: true, open: []byte{'}'}}
	for !b.feed(in.rest()[:min(limit, len(in.rest()))]) && len(in.rest()) <= limit && in.more() {
	}
	text := in.load(b.seen + settledBytes)
	over := !b.closed && !b.broken && len(in.rest()) > limit
	if over {
		text = in.rest()[:limit]
	}
	members, v := e.r.scan.tail(text)
	switch {
	case v.stop == nil:
		return e.closedTail(members, v), nil
	case v.stop.cutOff && over:
		v.stop = &fault{kind: RecordTooLarge, end: 1, detail: e.r.tooLarge().detail}
	case v.stop.cutOff:
		return e.r.cutOffBetween()
	}
	data := trimBehind(in.load(min(b.seen, v.stop.end+prefixBytes)), v.stop.end)
	rec := e.r.newBetween(bytes.Clone(data), in.pos, append(v.faults, *v.stop)...)
	if b.broken {
		in.skip(len(data))
	} else if in.skipBalanced(&b) {
		return rec, nil
	}
	in.abandon(e.start.Column)
	return rec, nil
}

// closedTail reports what is wrong with a tail that could be read.
func (e *envelope) closedTail(members []Node, v verdict) *Record {
	in := &e.r.in
	faults := inOrder(append(v.faults, e.repeated(members)...))
	rec := e.r.newBetween(in.rest()[:v.end:v.end], in.pos, faults...)
	in.skip(v.end)
	if len(faults) == 0 {
		return nil
	}
	return rec
}

// repeated returns the keys behind the list that stand before it as well.
func (e *envelope) repeated(members []Node) (faults []fault) {
	seen := make(map[string]*Node, len(e.members))
	for i := range e.members {
		seen[e.members[i].Name] = &e.members[i]
	}
	for i := range members {
		first := seen[members[i].Name]
		if first == nil {
			continue
		}
		delete(seen, members[i].Name)
		f := duplicateKey(first, &members[i])
		f.related = nil
		f.place = e.placeOfName(first)
		faults = append(faults, f)
	}
	return faults
}

func (e *envelope) placeOfName(n *Node) *Place {
	head := Record{Data: e.data, Start: e.start, IsGap: true}
	if e.r.origin != nil {
		head.stand(e.r.origin, e.start)
	}
	place := head.placeAt(n.NameStart, n.NameEnd, "")
	return &place
}

// cutOffBetween reports that the stretch ends before a list or an envelope is
// closed. The place is behind the last thing that was read.
func (r *Reader) cutOffBetween() (*Record, error) {
	if err := r.in.failure(); err != nil {
		return nil, err
	}
	last := r.in.blankBehind(len(r.in.rest()))
	data := trimRight(r.in.rest())
	rec := r.newBetween(data, r.in.pos, *endOfRecord(data, last))
	r.in.skip(len(r.in.rest()))
	return rec, nil
}
