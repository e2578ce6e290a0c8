package protocol

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Learn remembers the layout of a sound record, if others may have it.
func (s *session) CacheRecord(src *source.Record) {
	layout, hole, ok := s.layoutOf(src)
	if !ok {
		return
	}
	m := s.memory
	k, again := m.known.Get(&layout)
	switch {
	case again && !layout.DiffersInKeyOrder(&k.sample.Layout):
		return // it was not recognised because of what its open text holds, or not asked for
	case again && !m.mayLearnAnew(k), !again && m.known.Len() == maxKnown:
		return
	case again:
		m.replaceKeyOrder(k, source.NewSample(src, hole))
	default:
		k = &cachedTemplate{sample: source.NewSample(src, hole)}
		m.known.Add(&k.sample.Layout, k)
	}
	k.input = m.input
	k.record = lmc.NewRecord(k.sample.Record)
	k.record.Known, k.record.Language = true, s.record.Language
	k.takesText = k.record.TakesText()
}

// layoutOf returns the layout of the record that was judged last, and the value
// that it leaves open, if others may have the layout and are then sound.
func (s *session) layoutOf(src *source.Record) (layout source.Template, hole *source.Node, ok bool) {
	if s.state.session || src.IsGap || src.Decoded() || src.Root == nil || len(src.Problems) > 0 || len(src.Data) > maxSample {
		return layout, nil, false
	}
	r := s.record
	if r == nil || r.Source != src || r.Invalid != 0 || !s.state.isCacheable(r) {
		return layout, nil, false
	}
	hole, ok = s.variableValue(r)
	if !ok || hasPrefix(hole) {
		return layout, nil, false
	}
	layout = source.NewLayout(src, hole)
	return layout, hole, layout.Size() <= maxLayout
}

// hasPrefix reports whether a value is a string with letters before its quote,
// as only Python has it.
func hasPrefix(n *source.Node) bool {
	return n != nil && n.Kind == source.String && n.Raw()[0] != '"' && n.Raw()[0] != '\''
}

// openText returns the string of a record that may differ from one record of
// its kind to the next, nil if there is none. It reports false for a record
// that has no other of its kind.
func (s *session) variableValue(r *lmc.Record) (n *source.Node, ok bool) {
	for i := range r.Source.Root.Children {
		if !common[r.Source.Root.Children[i].Name] {
			return nil, false
		}
	}
	switch {
	case r.Flag():
		return nil, r.Content == nil
	case r.Type == "confirmation":
		n = r.Content.Member("content")
	case r.Format == "active_line":
		return countOf(r.Content)
	case r.Content != nil && r.Content.Kind == source.String:
		n = r.Content
	}
	return n, n != nil && n.Kind == source.String
}

// countOf returns an active_line that is a positive number, of which any other
// is as good. Others are judged by their value.
func countOf(n *source.Node) (open *source.Node, ok bool) {
	switch {
	case n != nil && n.Kind == source.Null:
		return nil, true
	case n != nil && n.Kind == source.Number && isCount(n.Raw()):
		return n, true
	}
	return nil, false
}

// isCount reports whether a number is written with digits alone.
func isCount(raw []byte) bool {
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// common are the keys whose values come again and again.
var common = map[string]bool{
	"role": true, "type": true, "format": true, "content": true, "start": true, "end": true, "recipient": true,
}

// quiet reports whether the rules that go by a record's shape alone have
// nothing to say about it. LMC116 and its like speak only when a block closes.
func (s *State) isCacheable(r *lmc.Record) bool {
	if s.Transcript && NeverStored(r) {
		return false
	}
	_, spelled, _ := s.Dialect.Language(r.Format)
	return len(s.UsualRoles(r)) == 0 && (r.Type != "code" || spelled || s.Dialect.Note(r.Format))
}
