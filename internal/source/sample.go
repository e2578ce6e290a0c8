package source

import (
	"github.com/lmclint/lmclint/internal/source/value"
)

// Sample is a record that stands for all records of one layout in turn: its
// tree is right for the line that was fitted into it last. Making the tree of
// a line costs no more than moving the few values behind the one that the
// layout leaves open.
type TemplateRecord struct {
	Layout Template
	Record *Record // valid until the next Fit

	hole   *value.Node   // nil if the layout leaves no string open
	around []*value.Node // the values that hold the hole
	behind []*value.Node // the values behind the hole

	shuffled bool // the values do not lie as in the layout
}

// NewSample takes the layout of a record, with one value of it left open, or
// none if n is nil. N must hang on the record's Root.
func NewSample(r *Record, n *value.Node) *TemplateRecord {
	s := &TemplateRecord{Record: r.Clone()}
	s.Record.flat = false // others of the layout may not be
	s.Layout = NewLayout(s.Record, n)
	if n != nil {
		s.find(s.Record.Root, n.Start)
	}
	s.Record.fixed = n == nil
	return s
}

// find sorts the nodes of a tree by how they lie to the hole at an offset.
func (s *TemplateRecord) find(n *value.Node, hole int) {
	switch {
	case n.Start == hole:
		s.hole = n
		return
	case n.Begin() > hole:
		s.behind = append(s.behind, n)
	case n.End > hole:
		s.around = append(s.around, n)
	}
	for i := range n.Children {
		s.find(&n.Children[i], hole)
	}
}

// Fit makes the sample the record that a stretch begins with, of which
// Layout.Match found the hole.
func (s *TemplateRecord) Fill(stretch *Window, hole Placeholder) *Record {
	r := s.Record
	r.Pointer, r.Event = "", ""
	r.Start, r.Index, r.Conversation, r.list = stretch.At, stretch.Number, stretch.Conversation, stretch.list
	line := stretch.Text
	if hole.Shuffled || s.shuffled {
		s.lay(line, hole)
		return r
	}
	if s.hole == nil {
		return r
	}
	end := hole.To + len(s.Layout.tail)
	r.Data = line[:end:end]
	size := hole.To
	if s.hole.Kind == value.String {
		size++ // its closing quote
	}
	s.refill(hole, size-s.hole.End)
	return r
}

// lay makes the sample a record whose members come in any order.
func (s *TemplateRecord) lay(line []byte, hole Placeholder) {
	s.shuffled, s.Record.fixed = hole.Shuffled || s.hole == nil, false
	end := s.Layout.members.lay(s.Record.Root, line, 0, hole)
	s.Record.Data = line[:end:end]
}

// lay moves the members of an object to where they lie on a line on which the
// object begins at an offset, and returns where it ends.
func (m *members) lay(object *value.Node, line []byte, start int, hole Placeholder) (end int) {
	end = start + len(m.before.bytes)
	for left := len(m.each) - 1; left >= 0; left-- {
		behind := comes(left)
		i := m.at(line, end, behind)
		n := &object.Children[i]
		n.Move(end - n.NameStart)
		switch one := &m.each[i]; {
		case one.open:
			n.End = hole.To + n.QuoteSize()
			n.SetText(line[n.Start:n.End], hole.Escaped, hole.Base64)
		case one.holds != nil:
			n.End = one.holds.lay(n, line, n.Start, hole)
		}
		end = n.End + len(m.behind[behind].bytes)
	}
	object.Start, object.End = start, end
	object.SetRaw(line[start:end])
	return end
}

// refill puts another string into the hole, and moves the rest by so many bytes.
func (s *TemplateRecord) refill(hole Placeholder, by int) {
	s.hole.End += by
	s.hole.SetText(s.Record.Data[s.hole.Start:s.hole.End], hole.Escaped, hole.Base64)
	for _, n := range s.around {
		n.End += by
		n.SetRaw(s.Record.Data[n.Start:n.End])
	}
	for _, n := range s.behind {
		n.MoveAlone(by)
	}
}
