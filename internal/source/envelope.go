package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// envelope reads an object whose list of records is read one by one.
type envelope struct {
	r       *Reader
	list    *array
	data    []byte         // the object up to its list
	start   value.Position // of data
	members []value.Node   // of data
}

// newEnvelope begins to read the envelope at the start of the unread input.
// The record tells what is wrong before the list; it is nil if nothing is.
func (r *Reader) newEnvelope(head *value.ObjectHead) (*envelope, *Record) {
	e := &envelope{
		r: r, start: r.in.pos, members: slices.Clone(head.Members),
		data: bytes.Clone(r.in.rest()[:head.List+1]),
	}
	r.in.skip(head.List + 1)
	e.list = newArray(r, "/"+listName)
	if len(head.Faults) == 0 {
		return e, nil
	}
	return e, r.newBetween(e.data, e.start, head.Faults...)
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
	b := value.BracketMatcher{Python: e.r.scan.Python, Begun: true, Open: []byte{'}'}}
	for !b.Feed(in.rest()[:min(limit, len(in.rest()))]) && len(in.rest()) <= limit && in.more() {
	}
	text := in.load(b.Size + settledBytes)
	over := !b.Closed && !b.Broken && len(in.rest()) > limit
	if over {
		text = in.rest()[:limit]
	}
	members, v := e.r.scan.ScanTail(text)
	switch {
	case v.Stop == nil:
		return e.closedTail(members, v), nil
	case v.Stop.Truncated && over:
		v.Stop = &value.Fault{Kind: value.RecordTooLarge, End: 1, Detail: e.r.tooLarge().Detail}
	case v.Stop.Truncated:
		return e.r.cutOffBetween()
	}
	data := trimBehind(in.load(min(b.Size, v.Stop.End+prefixBytes)), v.Stop.End)
	rec := e.r.newBetween(bytes.Clone(data), in.pos, append(v.Faults, *v.Stop)...)
	if b.Broken {
		in.skip(len(data))
	} else if in.skipBalanced(&b) {
		return rec, nil
	}
	in.abandon(e.start.Column)
	return rec, nil
}

// closedTail reports what is wrong with a tail that could be read.
func (e *envelope) closedTail(members []value.Node, v value.Result) *Record {
	in := &e.r.in
	repeated, first := e.repeated(members)
	faults := value.SortFaults(append(v.Faults, repeated...))
	rec := e.r.newBetween(in.rest()[:v.End:v.End], in.pos, faults...)
	for i, f := range faults {
		if place := first[f.Start]; place != nil {
			rec.Problems[i].Related = place
		}
	}
	in.skip(v.End)
	if len(faults) == 0 {
		return nil
	}
	return rec
}

// repeated returns the faults of keys after the list that occur before it as
// well, and the places of their first occurrences by the start of the fault.
func (e *envelope) repeated(members []value.Node) (faults []value.Fault, firsts map[int]*Place) {
	firsts = map[int]*Place{}
	seen := make(map[string]*value.Node, len(e.members))
	for i := range e.members {
		seen[e.members[i].Name] = &e.members[i]
	}
	for i := range members {
		first := seen[members[i].Name]
		if first == nil {
			continue
		}
		delete(seen, members[i].Name)
		f := value.RepeatedKey(first, &members[i])
		f.Related = nil
		firsts[f.Start] = e.placeOfName(first)
		faults = append(faults, f)
	}
	return faults, firsts
}

func (e *envelope) placeOfName(n *value.Node) *Place {
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
	data := value.TrimRight(r.in.rest())
	rec := r.newBetween(data, r.in.pos, *endOfRecord(data, last))
	r.in.skip(len(r.in.rest()))
	return rec, nil
}
