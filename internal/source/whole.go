package source

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source/value"
)

// whole reads the list of an envelope that was read whole, because it has too
// much before its list.
type bufferedEnvelope struct {
	r      *Reader
	spans  []span
	at     int // next of spans
	offset int // bytes of the envelope that were skipped
	end    int // bytes of the envelope
	faults []value.Fault
}

type span struct{ start, end int }

// isEnvelope reports whether a value is an object with a list of records.
func isEnvelope(n *value.Node) bool {
	list := n.Member(listName)
	return list != nil && list.Kind == value.Array
}

// beginsWithEnvelope reports whether the first record of an input is an
// envelope, of which that was not to be seen at its beginning.
func (r *Reader) beginsWithEnvelope(p rawValue) bool {
	return r.index == 0 && p.Root != nil && isEnvelope(p.Root)
}

// wholeDocuments goes on with conversations, of which p is the first.
func (r *Reader) wholeDocuments(p rawValue) (*Record, error) {
	d := &documentReader{r: r, bound: r.in.bound}
	if r.options.Form != FormJSONL && r.in.blankBehind(p.End) {
		r.in.bound, d.bound = false, false
	}
	if !d.bound {
		r.packed(FormJSON)
	}
	d.start()
	d.current = r.newWhole(p)
	r.mode = d
	return d.next()
}

// newWhole begins to read an envelope at the start of the unread input.
func (r *Reader) newWhole(p rawValue) *bufferedEnvelope {
	list := p.Root.Member(listName)
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
func (w *bufferedEnvelope) next() (*Record, error) {
	if len(w.faults) > 0 {
		rec := w.r.newBetween(w.r.in.rest()[:w.end:w.end], w.r.in.pos, w.faults...)
		w.faults = nil
		return rec, nil
	}
	if w.at == len(w.spans) {
		w.skipTo(w.end)
		return nil, nil
	}
	element := w.spans[w.at]
	w.skipTo(element.start)
	data := w.r.in.rest()[: element.end-element.start : element.end-element.start]
	pointer := "/" + listName + "/" + strconv.Itoa(w.at)
	w.at++
	return w.r.newRecord(data, pointer, w.r.scan.Scan(data, true)), nil
}

func (w *bufferedEnvelope) skipTo(offset int) {
	w.r.in.skip(offset - w.offset)
	w.offset = offset
}
