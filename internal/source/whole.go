package source

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source/value"
)

// whole reads the list of an envelope that was read whole, because it has too
// much before its list.
type bufferedEnvelope struct {
	r      *Cursor
	spans  []span
	at     int // next of spans
	offset int // bytes of the envelope that were skipped
	end    int // bytes of the envelope
	faults []value.Fault
}

type span struct{ start, end int }

// isEnvelope reports whether a value is an object with a list of records.
func IsEnvelope(n *value.Node) bool {
	list := n.Member(ListName)
	return list != nil && list.Kind == value.Array
}

// beginsWithEnvelope reports whether the first record of an input is an
// envelope, of which that was not to be seen at its beginning.
func (r *Cursor) beginsWithEnvelope(p RawValue) bool {
	return r.Index == 0 && p.Root != nil && IsEnvelope(p.Root)
}

// wholeDocuments goes on with conversations, of which p is the first.
func (r *Cursor) wholeDocuments(p RawValue) (*Record, error) {
	d := &documentReader{r: r, bound: r.In.Bound}
	if r.Options.Form != FormJSONL && r.In.BlankBehind(p.End) {
		r.In.Bound, d.bound = false, false
	}
	if !d.bound {
		r.SetForm(FormJSON)
	}
	d.start()
	d.current = r.newWhole(p)
	r.Mode = d
	return d.Next()
}

// newWhole begins to read an envelope at the start of the unread input.
func (r *Cursor) newWhole(p RawValue) *bufferedEnvelope {
	list := p.Root.Member(ListName)
	w := &bufferedEnvelope{r: r, end: p.End, spans: make([]span, len(list.Children))}
	for i := range list.Children {
		w.spans[i] = span{list.Children[i].Start, list.Children[i].End}
	}
	for _, f := range p.Faults {
		if f.Start < list.Start || f.Start >= list.End {
			w.faults = append(w.faults, f)
		}
	}
	return w
}

// next gives the records of the list. It returns nil at the envelope's end.
func (w *bufferedEnvelope) Next() (*Record, error) {
	if len(w.faults) > 0 {
		rec := w.r.NewGap(w.r.In.Rest()[:w.end:w.end], w.r.In.Pos, w.faults...)
		w.faults = nil
		return rec, nil
	}
	if w.at == len(w.spans) {
		w.skipTo(w.end)
		return nil, nil
	}
	element := w.spans[w.at]
	w.skipTo(element.start)
	data := w.r.In.Rest()[: element.end-element.start : element.end-element.start]
	pointer := "/" + ListName + "/" + strconv.Itoa(w.at)
	w.at++
	return w.r.NewRecord(data, pointer, w.r.Scan.Scan(data, true)), nil
}

func (w *bufferedEnvelope) skipTo(offset int) {
	w.r.In.Skip(offset - w.offset)
	w.offset = offset
}
