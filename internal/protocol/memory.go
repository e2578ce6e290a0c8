package protocol

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// Limits on what a session recognises. Beyond them records are read, which is
// as right and slower.
const (
	maxKnown  = 1024    // layouts
	maxAnew   = 256     // changes of the order of members
	maxLayout = 512     // bytes of a layout
	maxSample = 1 << 20 // bytes of the record that a layout is taken from

	shuffledFor = 64 // records to find behind one whose members came in another order
)

// known is a layout of sound records, with the record that stands for them.
type cachedTemplate struct {
	sample *source.TemplateRecord
	record *lmc.Record
	after  [8]*cachedTemplate // what came after it, the latest first

	input     int  // in which the layout was learned
	takesText bool // of runs: see lmc.Record.TakesText
}

// memory is what a session recognises records by.
type templateCache struct {
	dialect  *schema.Dialect // in which the records are sound
	known    *source.TemplateIndex[*cachedTemplate]
	shuffled int             // above 0 where members come in other orders than in their layouts
	input    int             // counts inputs
	anew     int             // counts changes of the order of members
	last     *cachedTemplate // the layout of the last record, if that was recognised
	start    cachedTemplate  // stands for the start of a conversation: it has no layout, only what came after it
	half     partialMatch    // of the element whose text ended within its hole, to go on from there when it has grown
	finding  linePipeline
	python   bool // the language of the last record that was looked for
}

// match is a record of a layout.
type match struct {
	known *cachedTemplate
	hole  source.Placeholder
	size  int // bytes
}

// half is an element whose text ended within its hole, in base64.
type partialMatch struct {
	match
	at int64 // offset of the element
}

func newMemory(dialect *schema.Dialect) *templateCache {
	m := &templateCache{dialect: dialect, known: source.NewLayouts[*cachedTemplate]()}
	m.last = &m.start
	return m
}

// find finds the layout of the record that a text begins with: mostly one that
// came after the last one's before. Cut says that more text might help.
func (m *templateCache) find(text []byte, python bool) (k *cachedTemplate, hole source.Placeholder, size int, cut bool) {
	if m.python != python {
		m.setLanguage(python)
	}
	if m.last == nil {
		return m.search(text, python)
	}
	for i, next := range m.last.after {
		if next == nil {
			break
		}
		hole, size, cut := m.match(next, text)
		if size > 0 {
			if i > 0 {
				m.last.after[0], m.last.after[i] = next, m.last.after[0]
			}
			m.last = next
			m.note(hole)
			return next, hole, size, false
		}
		if cut {
			if hole.IsPartial(text) {
				m.half.match = match{next, hole, 0}
			}
			return nil, hole, 0, true
		}
	}
	return m.search(text, python)
}

// speak makes the memory one of records in another language. What inputs in the
// last one began with may look the same, and is none.
func (m *templateCache) setLanguage(python bool) {
	m.python = python
	clear(m.start.after[:])
	m.last = &m.start
}

// match looks whether a text begins with a record of a layout.
func (m *templateCache) match(k *cachedTemplate, text []byte) (hole source.Placeholder, size int, cut bool) {
	layout := &k.sample.Layout
	switch {
	case m.half.known == k:
		m.half.known = nil
		return layout.Resume(text, m.half.hole)
	case m.shuffled > 0:
		return layout.MatchAnyOrder(text)
	}
	return layout.Match(text)
}

// resume sees to it that the element at the start of a stretch is gone on with
// if it is the one that was left half.
func (m *templateCache) resume(stretch *source.Window) {
	hole := &m.half.hole
	if m.half.at != stretch.At.Offset || hole.From+hole.Base64 > len(stretch.Text) {
		m.half.known = nil
	}
}

// lacks is by how much the text of a stretch must grow for looking again at the
// element at its start, which is cut, to be of use. What was looked at and need
// not be again costs nothing.
func (m *templateCache) lacks(stretch *source.Window) int {
	if m.half.known == nil {
		return len(stretch.Text)
	}
	m.half.at = stretch.At.Offset
	return 1
}

// search looks among all layouts. One that has its members in another order is
// to be learned anew.
func (m *templateCache) search(text []byte, python bool) (k *cachedTemplate, hole source.Placeholder, size int, cut bool) {
	before := m.last
	k, hole, size, cut = m.known.Find(text, python)
	if k == nil || hole.Shuffled && m.mayLearnAnew(k) {
		m.last = nil
		return nil, hole, 0, cut
	}
	if before != nil {
		before.noteAfter(k)
	}
	m.last = k
	m.note(hole)
	return k, hole, size, false
}

// mayLearnAnew reports whether the order of a layout's members may be changed.
// That is of use where two inputs have an order each, and of none where there
// are many orders.
func (m *templateCache) mayLearnAnew(k *cachedTemplate) bool {
	return k.input != m.input && m.anew < maxAnew
}

// learnAnew changes the order of a layout's members.
func (m *templateCache) replaceKeyOrder(k *cachedTemplate, sample *source.TemplateRecord) {
	*k.sample = *sample
	m.anew++
}

// renew makes the memory ready for another input.
func (m *templateCache) renew() {
	m.last, m.half = &m.start, partialMatch{}
	m.input++
}

// note notes whether the members of a record came in another order than in its
// layout. Then those of the next ones may.
func (m *templateCache) note(hole source.Placeholder) {
	if hole.Shuffled {
		m.shuffled = shuffledFor
	} else {
		m.shuffled = max(0, m.shuffled-1)
	}
}

// noteAfter notes what came after a record of the layout.
func (k *cachedTemplate) noteAfter(next *cachedTemplate) {
	copy(k.after[1:], k.after[:])
	k.after[0] = next
}
