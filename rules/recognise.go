package rules

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// opening is how the first record of an input stands in it.
type opening struct {
	form   source.Form
	inList bool
}

// Opened implements [lint.Recogniser]. Nothing looks at the text of a record
// with a role and a type to tell what an input is.
func (s *session) CacheOpening(form source.Form) {
	if s.record == nil || s.record.Role == "" || s.record.Type == "" {
		return
	}
	layout, _, ok := s.layoutOf(s.record.Source)
	if !ok {
		return
	}
	k, ok := s.memory.known.Get(&layout)
	if !ok || !k.sample.Layout.Equal(&layout) {
		return
	}
	if o := (opening{form, s.record.Source.Pointer != ""}); !slices.Contains(k.opens, o) {
		k.opens = append(k.opens, o)
	}
}

// Recognises implements [lint.Recogniser].
func (s *session) HasOpening(stretch source.Window, form source.Form) bool {
	m := s.memory
	k, hole, size, _ := m.find(stretch.Text, stretch.Python)
	if k == nil || !slices.Contains(k.opens, opening{form, !stretch.Lines}) {
		m.last = &m.start
		return false
	}
	m.ahead = match{k, hole, size}
	return true
}
