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
	cells, last := s.cells[:0], 0 // by column, the index of a mark from 1; the last mark that ends with them
	for i, m := range s.marks {
		cells = append(cells, make([]int, max(0, m.right-len(cells)))...)
		for column := m.left; column < m.right; column++ {
			cells[column] = i + 1
		}
	}
	s.cells = cells
	b = s.gutter(b, 0, false)
	for from := 0; from < len(cells); {
		to := from + 1
		for to < len(cells) && cells[to] == cells[from] {
			to++
		}
		if cells[from] == 0 {
			b = append(b, strings.Repeat(" ", to-from)...)
		} else {
			m := &s.marks[cells[from]-1]
			b = m.style.paint(b, strings.Repeat(m.sign, to-from))
		}
		from = to
	}
	for i, m := range s.marks {
		if m.label != "" && m.right == len(cells) && (last == 0 || m.left >= s.marks[last-1].left) {
			last = i + 1
		}
	}
	hanging := s.marks
	if last == 0 {
		b = append(b, '\n')
	} else {
		var fits bool
		if b, fits = s.labelAfter(b, len(cells), &s.marks[last-1]); fits {
			hanging = slices.Delete(hanging, last-1, last)
		}
	}
	hanging = slices.DeleteFunc(hanging, func(m mark) bool { return m.label == "" })
	if len(hanging) == 0 {
		return b
	}
	slices.SortStableFunc(hanging, func(x, y mark) int { return cmp.Compare(x.left, y.left) })
	b = append(s.bars(b, hanging, -1), '\n')
	for i := len(hanging) - 1; i >= 0; i-- {
		b = s.hangLabel(b, hanging[:i], &hanging[i])
	}
	return b
}

// labelAfter ends a line of underlines that takes some columns with the label of a mark,
// if there is room for one.
func (s *snippet) labelAfter(b []byte, taken int, m *mark) (line []byte, fits bool) {
	if room := s.room(); m.label == "" || room > 0 && taken+1+columns(m.label) > room {
		return append(b, '\n'), false
	}
	return append(m.style.paint(append(b, ' '), m.label), '\n'), true
}

// hangLabel appends a label under the start of its mark, and the bars of the ones to its
// left that follow. A label without room there is moved to the left.
func (s *snippet) hangLabel(b []byte, others []mark, m *mark) []byte {
	left, room := m.left, s.room()
	if room > 0 {
		left = max(0, min(left, room-min(columns(m.label), room/2)))
		room -= left
	}
	for _, line := range wrap(m.label, room) {
		b = append(m.style.paint(s.bars(b, others, left), line), '\n')
	}
	return b
}

// bars begins a line with a bar in the column of each mark before the column before, and
// spaces up to that column. If before is -1, it appends the bars of all marks.
func (s *snippet) bars(b []byte, marks []mark, before int) []byte {
	b = s.gutter(b, 0, false)
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
