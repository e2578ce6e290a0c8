package recognise

import (
	"hash/maphash"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Limits of a matcher. Records beyond them do not become templates.
const (
	maxTemplates = 4096
	maxFixed     = 512     // bytes of a template without the value that varies
	maxRecord    = 1 << 20 // bytes of the record that a template is made of
)

// successors is how many of the templates that followed a template are tried
// first.
const successors = 8

// Matcher matches records with the templates of a session. It is not safe for
// concurrent use.
type Matcher struct {
	variable string // name of the member whose value may vary
	seed     maphash.Seed
	index    map[uint64]*Template // by the key of their outline

	start         Template  // predecessor of the first record of an input; only its successors are used
	last          *Template // of the last record; nil if that did not match
	text, decoded []byte    // buffers for Run
}

// New makes a matcher without templates. Variable is the name of the member whose
// value may vary; it may be nested in an object of the same name.
func New(variable string) *Matcher {
	m := &Matcher{variable: variable, seed: maphash.MakeSeed(), index: map[uint64]*Template{}}
	m.last = &m.start
	return m
}

// Restart prepares the matcher for the start of another input. It keeps the
// templates.
func (m *Matcher) Restart() { m.last = &m.start }

// Next matches the record at the start of a window. T is nil if no template
// matches; isCut then reports that the window ends within the record, so that a
// template may match with more text.
func (m *Matcher) Next(w *source.Window) (t *Template, match Match, isCut bool) {
	before := m.last
	if before != nil {
		t, match, isCut = before.nextSuccessor(w)
	}
	if t == nil && !isCut {
		o := outline{text: w.Text, variable: m.variable, seed: m.seed}
		if isWhole := o.object(); isWhole {
			t = m.index[o.key()]
		} else {
			isCut = o.at >= len(o.text)
		}
		if t != nil {
			var ok bool
			if match, ok = t.match(w); !ok {
				t = nil
			}
		}
		if t != nil && before != nil {
			copy(before.successors[1:], before.successors[:])
			before.successors[0] = t
		}
	}
	switch {
	case t != nil:
		m.last = t
	case !isCut:
		m.last = nil
	}
	return t, match, isCut
}

// nextSuccessor is Next for the templates that followed t. It moves the match to the
// front.
func (t *Template) nextSuccessor(w *source.Window) (next *Template, match Match, isCut bool) {
	for i, next := range t.successors[:] { // an array would be copied
		if next == nil {
			break
		}
		match, ok := next.match(w)
		if ok {
			t.successors[0], t.successors[i] = next, t.successors[0]
			return next, match, false
		}
		if match.To == len(w.Text) {
			return nil, match, true
		}
	}
	return nil, match, false
}

// Skip moves the window over its first record.
func (t *Template) Skip(w *source.Window, match Match) {
	w.ShowsJSON = w.ShowsJSON || t.showsJSON
	if w.HasWholeRecords {
		w.Advance(match.Size+source.LineEndSize(w.Text[match.Size:]), 1)
	} else {
		w.AdvanceElement(match.Size, t.ascii && !match.Has(HasNonASCII))
	}
}

// Add makes a template of a valid record. All records that differ from it only
// in the value varies must be valid, too, with the same meaning; varies may be
// nil. Add returns nil if the template exists, a limit is reached, or the record is not
// JSON.
func (m *Matcher) Add(r *source.Record, varies *value.Node) *Template {
	fixed := len(r.Data)
	if varies != nil {
		fixed -= len(varies.Raw())
	}
	if r.Python || len(m.index) == maxTemplates || fixed > maxFixed || len(r.Data) > maxRecord {
		return nil
	}
	o := outline{text: r.Data, variable: m.variable, seed: m.seed}
	if !o.object() || o.at != len(r.Data) {
		return nil
	}
	at := -1
	switch {
	case varies == nil && o.kind == 0:
	case varies != nil && o.kind == varies.Kind && o.from == varies.Start+varies.QuoteSize():
		at = varies.Start
	default: // the outline has another variable value
		return nil
	}
	if m.index[o.key()] != nil {
		return nil
	}
	t := newTemplate(r.Clone(), at)
	t.ID = len(m.index)
	m.index[o.key()] = t
	return t
}
