package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/source"
)

const (
	minExcerpt = 20     // columns to which a source line is cropped at least
	tab        = "    " // replaces a tab: a tab stop would depend on the gutter
)

// shownLine is a source line as shown: the characters that excerpts have of it, with a
// cut mark where text is missing. Source lines, the marks under them and what a fix
// changes are made of it.
type shownLine struct {
	chars             []char // by column
	cutLeft, cutRight bool   // the line continues
}

// char is a code point of a line.
type char struct {
	column int    // in the line, from 1
	text   string // as shown
	width  int    // columns of a terminal; 0 if it is shown together with the one before it
}

// set makes the line from excerpts.
func (l *shownLine) set(excerpts ...source.Excerpt) {
	for i := range excerpts {
		excerpts[i] = withIndent(excerpts[i])
	}
	slices.SortStableFunc(excerpts, func(a, b source.Excerpt) int { return a.Column - b.Column })
	l.chars, l.cutLeft, l.cutRight = l.chars[:0], excerpts[0].CutLeft, excerpts[0].CutRight
	for i := range excerpts {
		if l.add(&excerpts[i]) {
			l.cutRight = excerpts[i].CutRight
		}
	}
}

// maxIndent is how many columns of other text before a record are shown as an
// indent, as most of it is.
const maxIndent = 8

// withIndent shows that a line has text before the excerpt, which the excerpt of
// a record does not contain.
func withIndent(e source.Excerpt) source.Excerpt {
	switch indent := e.Column - 1; {
	case e.CutLeft || indent <= 0:
	case indent <= maxIndent:
		e.Text, e.Column = strings.Repeat(" ", indent)+e.Text, 1
	default:
		e.CutLeft = true
	}
	return e
}

// add adds the characters of an excerpt to the right of those that the line has. It
// reports whether there are any.
func (l *shownLine) add(e *source.Excerpt) bool {
	text, column, next := strings.TrimRight(e.Text, "\r\n"), e.Column, 1
	before := len(l.chars)
	if before > 0 {
		next = l.chars[before-1].column + 1
	}
	last := "" // what is shown together with the next character, if that has no width of its own
	for i, r := range text {
		c := char{column: column, width: 1}
		if ' ' <= r && r <= '~' {
			c.text = text[i : i+1]
			last = c.text
		} else {
			c.text = visible(strings.ReplaceAll(string(r), "\t", tab))
			c.width = ink.Columns(last+c.text) - ink.Columns(last)
			last += c.text
			if c.width > 0 {
				last = c.text
			}
		}
		if column++; c.column >= next {
			l.chars = append(l.chars, c)
		}
	}
	return len(l.chars) > before
}

// isCut reports whether text is missing between a character and the one before it.
func (l *shownLine) isCut(i int) bool { return i > 0 && l.chars[i].column > l.chars[i-1].column+1 }

// text returns the line as shown.
func (l *shownLine) text() string {
	var b strings.Builder
	if l.cutLeft {
		b.WriteString(ink.Cut)
	}
	for i := range l.chars {
		if l.isCut(i) {
			b.WriteString(ink.Cut)
		}
		b.WriteString(l.chars[i].text)
	}
	if l.cutRight {
		b.WriteString(ink.Cut)
	}
	return b.String()
}

// columnsOf returns the columns of a terminal that the characters from a column up
// to another one take, the second one excluded. Both are in the line, or the
// nearest ones that are shown. There is at least one column.
func (l *shownLine) columnsOf(from, to int) (left, right int) {
	at := 0
	if l.cutLeft {
		at++
	}
	left = at
	for i, c := range l.chars {
		if l.isCut(i) {
			at++
		}
		if c.column == from {
			left = at
		}
		at += c.width
		if c.column < from {
			left = at
		}
		if c.column < to {
			right = at
		}
	}
	return left, max(left+1, right)
}

// width returns how many columns of a terminal the line takes.
func (l *shownLine) width() int {
	_, width := l.columnsOf(0, math.MaxInt)
	if l.cutRight {
		width++
	}
	return width
}

// crop crops the line to windows around columns, which share the room.
func (l *shownLine) crop(at []int, room int) {
	at = slices.Compact(slices.Sorted(slices.Values(at)))
	share := max(room/len(at), minExcerpt)
	keep := make([]bool, len(l.chars))
	for _, column := range at {
		for i, end := l.window(column, share); i < end; i++ {
			keep[i] = true
		}
	}
	l.cutLeft, l.cutRight = l.cutLeft || !keep[0], l.cutRight || !keep[len(keep)-1]
	n := 0
	for i, c := range l.chars {
		if keep[i] {
			l.chars[n] = c
			n++
		}
	}
	l.chars = l.chars[:n]
}

// window returns the characters around a column that take at most room columns of a
// terminal, cut marks included. A third of them is to the left of the column, or more
// if the line ends early.
func (l *shownLine) window(column, room int) (from, to int) {
	focus, found := slices.BinarySearchFunc(l.chars, column, func(c char, column int) int { return cmp.Compare(c.column, column) })
	first, end := focus, focus // of the characters without a cut around the column
	for first > 0 && (first == focus && !found || !l.isCut(first)) {
		first--
	}
	for end < len(l.chars) && (end == focus && found || end > focus && !l.isCut(end)) {
		end++
	}
	room -= 2 * ink.Columns(ink.Cut)
	taken := 0
	from, to = focus, focus
	grow := func(room int) {
		for from > first && taken+l.chars[from-1].width <= room {
			from--
			taken += l.chars[from].width
		}
	}
	grow(room / 3)
	to = l.fit(to, end, room-taken)
	for _, c := range l.chars[focus:to] {
		taken += c.width
	}
	grow(room)
	for from < focus && l.chars[from].width == 0 {
		from++
	}
	return from, to
}

// fit returns up to which character, at most end, those from another one on have room.
func (l *shownLine) fit(from, end, room int) int {
	for from < end && l.chars[from].width <= room {
		room -= l.chars[from].width
		from++
	}
	return from
}

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
