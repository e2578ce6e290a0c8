package report

import (
	"cmp"
	"slices"
	"strings"
)

// mark is an underlined place on a source line, in columns of the terminal from
// 0.
type mark struct {
	left, right int // at least one column
	sign        string
	style       style
	label       string
	inline      bool // the label is after the underlines
}

// underline appends the underlines of the current line, and the labels of its
// places: one after the underlines, if there is room, the others below, the
// rightmost first:
//
//	| ----   ^^^^^^ -----------
//	| |             |
//	| |             its value
//	| first here
func (s *snippet) underline(b []byte) []byte {
	// What is drawn later hides what is drawn before: a narrow place is on top of
	// a wide one, and of two equal ones that of the finding.
	slices.SortStableFunc(s.marks, func(x, y mark) int {
		return cmp.Or(cmp.Compare(y.right-y.left, x.right-x.left), cmp.Compare(x.sign, y.sign))
	})
	s.draw()
	b = s.gutter(b, 0, false)
	b = s.appendCells(b)
	if i := s.inlineLabel(); i >= 0 {
		s.marks[i].inline = true
		b = s.marks[i].style.paint(append(b, ' '), visible(s.marks[i].label))
	}
	b = append(b, '\n')
	return s.hangLabels(b)
}

// draw sets the cells from the marks, in their order.
func (s *snippet) draw() {
	s.cells = s.cells[:0]
	for i, m := range s.marks {
		for len(s.cells) < m.right {
			s.cells = append(s.cells, 0)
		}
		for column := m.left; column < m.right; column++ {
			s.cells[column] = i + 1
		}
	}
}

func (s *snippet) appendCells(b []byte) []byte {
	for from := 0; from < len(s.cells); {
		to := from + 1
		for to < len(s.cells) && s.cells[to] == s.cells[from] {
			to++
		}
		if s.cells[from] == 0 {
			b = append(b, strings.Repeat(" ", to-from)...)
		} else {
			m := &s.marks[s.cells[from]-1]
			b = m.style.paint(b, strings.Repeat(m.sign, to-from))
		}
		from = to
	}
	return b
}

// inlineLabel returns the mark whose label is after the underlines: the last one
// that ends there, if its label has room. It returns -1 if there is none.
func (s *snippet) inlineLabel() int {
	best := -1
	for i, m := range s.marks {
		if m.label == "" || m.right < len(s.cells) {
			continue
		}
		if best < 0 || m.left >= s.marks[best].left {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	if room := s.room(); room > 0 && len(s.cells)+1+columns(visible(s.marks[best].label)) > room {
		return -1
	}
	return best
}

// hangLabels appends the labels that are not after the underlines, each under the
// start of its mark, on separate lines.
func (s *snippet) hangLabels(b []byte) []byte {
	hanging := slices.DeleteFunc(slices.Clone(s.marks), func(m mark) bool { return m.label == "" || m.inline })
	if len(hanging) == 0 {
		return b
	}
	slices.SortStableFunc(hanging, func(x, y mark) int { return cmp.Compare(x.left, y.left) })
	b = s.bars(s.gutter(b, 0, false), hanging, -1)
	b = append(b, '\n')
	for i := len(hanging) - 1; i >= 0; i-- {
		b = s.hangLabel(b, hanging[:i], hanging[i])
	}
	return b
}

// hangLabel appends a label, and the bars of the ones to its left that follow.
// A label without room at its mark is moved to the left.
func (s *snippet) hangLabel(b []byte, others []mark, m mark) []byte {
	label := visible(m.label)
	left, room := m.left, s.room()
	if room > 0 {
		left = max(0, min(left, room-min(columns(label), room/2)))
		room -= left
	}
	for _, line := range wrap(label, room) {
		b = s.bars(s.gutter(b, 0, false), others, left)
		b = m.style.paint(b, line)
		b = append(b, '\n')
	}
	return b
}

// bars appends a bar in the column of each mark before the column before, and spaces up
// to that column. If before is -1, it appends the bars of all marks.
func (s *snippet) bars(b []byte, marks []mark, before int) []byte {
	at := 0
	for _, m := range marks {
		if m.left < at || before >= 0 && m.left >= before {
			continue
		}
		b = append(b, strings.Repeat(" ", m.left-at)...)
		b = m.style.paint(b, "|")
		at = m.left + 1
	}
	return append(b, strings.Repeat(" ", max(0, before-at))...)
}
