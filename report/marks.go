package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/show/ink"
)

// mark is an underlined place on a source line, in columns of the terminal from
// 0.
type mark struct {
	left, right int // at least one column
	sign        string
	style       style
	label       string
}

// underline adds the underlines of the current line, and the labels of its
// places: one after the underlines, if there is room, the others below, the
// rightmost first:
//
//	| ----   ^^^^^^ -----------
//	| |             |
//	| |             its value
//	| first here
func (s *snippet) underline(marks []mark) {
	// What is drawn later hides what is drawn before: a narrow place is on top of
	// a wide one, and of two equal ones that of the finding.
	slices.SortStableFunc(marks, func(x, y mark) int {
		return cmp.Or(cmp.Compare(y.right-y.left, x.right-x.left), cmp.Compare(x.sign, y.sign))
	})
	var cells []int // by column, the index of a mark from 1
	last := 0       // the last mark that ends with them
	for i, m := range marks {
		cells = append(cells, make([]int, max(0, m.right-len(cells)))...)
		for column := m.left; column < m.right; column++ {
			cells[column] = i + 1
		}
	}
	s.add(s.margin(0))
	for from := 0; from < len(cells); {
		to := from + 1
		for to < len(cells) && cells[to] == cells[from] {
			to++
		}
		if cells[from] == 0 {
			s.add(strings.Repeat(" ", to-from))
		} else {
			m := &marks[cells[from]-1]
			s.add(s.paint(m.style, strings.Repeat(m.sign, to-from)))
		}
		from = to
	}
	for i, m := range marks {
		if m.label != "" && m.right == len(cells) && (last == 0 || m.left >= marks[last-1].left) {
			last = i + 1
		}
	}
	if last == 0 {
		s.add("\n")
	} else if s.labelAfter(len(cells), &marks[last-1]) {
		marks = slices.Delete(marks, last-1, last)
	}
	hanging := slices.DeleteFunc(marks, func(m mark) bool { return m.label == "" })
	if len(hanging) == 0 {
		return
	}
	slices.SortStableFunc(hanging, func(x, y mark) int { return cmp.Compare(x.left, y.left) })
	s.add(s.bars(hanging, -1), "\n")
	for i := len(hanging) - 1; i >= 0; i-- {
		s.hangLabel(hanging[:i], &hanging[i])
	}
}

// labelAfter ends a line of underlines that takes some columns with the label of a mark,
// if there is room for one.
func (s *snippet) labelAfter(taken int, m *mark) (fits bool) {
	if room := s.room(); m.label == "" || room > 0 && taken+1+ink.Columns(m.label) > room {
		s.add("\n")
		return false
	}
	s.add(" ", s.paint(m.style, m.label), "\n")
	return true
}

// hangLabel adds a label under the start of its mark, and the bars of the ones to its
// left that follow. A label without room there is moved to the left.
func (s *snippet) hangLabel(others []mark, m *mark) {
	left, room := m.left, s.room()
	if room > 0 {
		left = max(0, min(left, room-min(ink.Columns(m.label), room/2)))
		room -= left
	}
	for _, line := range wrap(m.label, room, room) {
		s.add(s.bars(others, left), s.paint(m.style, line), "\n")
	}
}

// bars returns the start of a line with a bar in the column of each mark before the column
// before, and spaces up to that column. If before is -1, it has the bars of all marks.
func (s *snippet) bars(marks []mark, before int) string {
	line, at := s.margin(0), 0
	for _, m := range marks {
		if m.left < at || before >= 0 && m.left >= before {
			continue
		}
		line += strings.Repeat(" ", m.left-at) + s.paint(m.style, "|")
		at = m.left + 1
	}
	return line + strings.Repeat(" ", max(0, before-at))
}
