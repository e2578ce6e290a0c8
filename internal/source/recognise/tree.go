package recognise

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// tree is the record of a template. It is updated in place to each record that
// matches: only the variable value and the values after it change.
//
// Offsets in the tree are always correct for record.Data. The other values keep
// their source text in the data of the record that the template was made of.
type tree struct {
	record *source.Record
	varies *value.Node   // the value that varies; nil if none does
	around []*value.Node // the values that contain it
	after  []*value.Node // the values after it, in the template's order
}

// sort classifies the nodes of a subtree by their position relative to the
// variable value.
func (t *tree) sort(n *value.Node, at int) {
	switch {
	case n.Start == at:
		t.varies = n
		return
	case n.StartWithName() > at:
		t.after = append(t.after, n)
	case n.End > at:
		t.around = append(t.around, n)
	}
	for i := range n.Children {
		t.sort(&n.Children[i], at)
	}
}

// Record returns the template's record, which is always the same one.
func (t *Template) Record() *source.Record { return t.record }

// Fill updates the template's record to the one at the start of the window,
// which has the match m, and returns it.
func (t *Template) Fill(w *source.Window, m Match) *source.Record {
	r := t.record
	w.Locate(r)
	if t.varies == nil {
		return r
	}
	r.Data = w.Text[:m.Size:m.Size]
	t.refill(m)
	return r
}

// refill sets the variable value, and moves the values after it.
func (t *tree) refill(m Match) {
	n := t.varies
	end := m.To + n.QuoteSize()
	by := end - n.End
	n.End = end
	n.SetPlain(t.record.Data[n.Start:n.End], m.Has(HasEscapes))
	for _, n := range t.around {
		n.End += by
		n.SetRaw(t.record.Data[n.Start:n.End])
	}
	for _, n := range t.after {
		n.MoveShallow(by)
	}
}
