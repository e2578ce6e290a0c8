package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// envelope reads an object whose list of records is read one by one.
type envelope struct {
	r       *Cursor
	list    *array
	data    []byte         // the object up to its list
	start   value.Position // of data
	members []value.Node   // of data
}

// newEnvelope begins to read the envelope at the start of the unread input.
// The record tells what is wrong before the list; it is nil if nothing is.
func (r *Cursor) newEnvelope(head *value.ObjectHead) (*envelope, *Record) {
	e := &envelope{
		r: r, start: r.In.Pos, members: slices.Clone(head.Members),
		data: bytes.Clone(r.In.Rest()[:head.List+1]),
	}
	r.In.Skip(head.List + 1)
	e.list = newArray(r, "/"+ListName)
	if len(head.Faults) == 0 {
		return e, nil
	}
	return e, r.NewGap(e.data, e.start, head.Faults...)
}

// next gives the records of the list, and then what is wrong behind it. It
// returns nil at the envelope's end.
func (e *envelope) Next() (*Record, error) {
	if e.list == nil {
		return nil, nil
	}
	if rec, err := e.list.Next(); rec != nil || err != nil {
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
	in := &e.r.In
	limit := int(e.r.Options.MaxRecordBytes)
	b := value.BracketMatcher{Python: e.r.Scan.Python, Begun: true, Open: []byte{'}'}}
	for !b.Feed(in.Rest()[:min(limit, len(in.Rest()))]) && len(in.Rest()) <= limit && in.More() {
	}
	text := in.Load(b.Size + SettledBytes)
	over := !b.Closed && !b.Broken && len(in.Rest()) > limit
	if over {
		text = in.Rest()[:limit]
	}
	members, v := e.r.Scan.ScanTail(text)
	switch {
	case v.Stop == nil:
		return e.closedTail(members, v), nil
	case v.Stop.Truncated && over:
		v.Stop = &value.Fault{Kind: value.RecordTooLarge, End: 1, Detail: e.r.TooLarge().Detail}
	case v.Stop.Truncated:
		return e.r.cutOffBetween()
	}
	data := input.TrimBehind(in.Load(min(b.Size, v.Stop.End+PrefixBytes)), v.Stop.End)
	rec := e.r.NewGap(bytes.Clone(data), in.Pos, append(v.Faults, *v.Stop)...)
	if b.Broken {
		in.Skip(len(data))
	} else if SkipBalanced(in, &b) {
		return rec, nil
	}
	abandon(in, e.start.Column)
	return rec, nil
}

// closedTail reports what is wrong with a tail that could be read.
func (e *envelope) closedTail(members []value.Node, v value.Result) *Record {
	in := &e.r.In
	repeated, first := e.repeated(members)
	faults := value.SortFaults(append(v.Faults, repeated...))
	rec := e.r.NewGap(in.Rest()[:v.End:v.End], in.Pos, faults...)
	for i, f := range faults {
		if place := first[f.Start]; place != nil {
			rec.Problems[i].Related = place
		}
	}
	in.Skip(v.End)
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
	if e.r.Origin != nil {
		head.stand(e.r.Origin, e.start)
	}
	place := head.placeAt(n.NameStart, n.NameEnd, "")
	return &place
}

// cutOffBetween reports that the stretch ends before a list or an envelope is
// closed. The place is behind the last thing that was read.
func (r *Cursor) cutOffBetween() (*Record, error) {
	if err := r.In.Failure(); err != nil {
		return nil, err
	}
	last := r.In.BlankBehind(len(r.In.Rest()))
	data := value.TrimRight(r.In.Rest())
	rec := r.NewGap(data, r.In.Pos, *endOfRecord(data, last))
	r.In.Skip(len(r.In.Rest()))
	return rec, nil
}
