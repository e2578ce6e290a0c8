package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// snippet writes the source lines of one finding with the places on them, in
// the order of the file:
//
//	  |
//	1 | {"role": "assistant", "type": "code", "start": true}
//	  | ---------------------------------------------------- this code
//	...
//	8 | {"role": "computer", "type": "console", "start": true}
//	  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//	  |
//
// A place on several lines has a bar at its left:
//
//	1 | /   {
//	2 | |     "role": "user"
//	3 | |   }
//	  | |___^
//
// It reuses its memory.
type snippet struct {
	palette *palette
	digits  int // of the highest line number
	width   int // columns of the terminal, 0 means no limit

	files    []string // those of the places; that of the finding is the first one
	places   []shownPlace
	bar      *shownPlace // on several lines, of which the current line is one; or nil
	barStyle style       // of its bar
	barred   bool        // there is such a place in the current file
	line     excerptLine
	excerpts []source.Excerpt // of the current line
	columns  []int            // of the places on it
	marks    []mark
	cells    []int // by column of the underlines, the index of the mark in marks from 1
}

// shownPlace is a place that a finding shows.
type shownPlace struct {
	file    int // index in files
	line    int
	at      *source.Place
	label   string
	primary bool // the finding's own
}

// last returns the number of the last line.
func (p *shownPlace) last() int {
	if n := len(p.at.Below); n > 0 {
		return max(p.line, p.at.Below[n-1].Line)
	}
	return p.line
}

func (p *shownPlace) column() int { return known(p.at.Span.Start).Column }

// reset prepares for the places of another finding. It reports whether there
// is a source line to show.
func (s *snippet) reset(f *lint.Finding) bool {
	s.files = append(s.files[:0], f.Path)
	s.places = s.places[:0]
	s.add(f.Path, &f.Place, "", true)
	for i := range f.Related {
		r := &f.Related[i]
		s.add(cmp.Or(r.Path, f.Path), &r.Place, r.Message, false)
	}
	slices.SortStableFunc(s.places, func(a, b shownPlace) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	s.digits = 1
	for i := range s.places {
		s.digits = max(s.digits, len(strconv.Itoa(s.places[i].last())))
	}
	return len(s.places) > 0
}

// add adds a place. An input without text has no line to show.
func (s *snippet) add(path string, at *source.Place, label string, primary bool) {
	if at.Excerpt.Text == "" && label == "" && at.Span.Start.Offset == 0 {
		return
	}
	file := slices.Index(s.files, path)
	if file < 0 {
		file = len(s.files)
		s.files = append(s.files, path)
	}
	s.places = append(s.places, shownPlace{file, known(at.Span.Start).Line, at, label, primary})
}

// write appends the lines, with an empty one before them.
func (s *snippet) write(b []byte, severity style) []byte {
	file := 0
	last := 0 // number of the last line, 0 at the start of a file
	s.bar, s.barred = nil, s.hasBars(0)
	b = s.gutter(b, 0, true)
	for rest := s.places; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].file == rest[0].file && rest[n].line == rest[0].line {
			n++
		}
		on := rest[:n]
		rest = rest[n:]
		if on[0].file != file {
			b = s.endBar(b, &last, 0, severity)
			file, last = on[0].file, 0
			s.barred = s.hasBars(file)
			b = s.fileName(b, s.files[file], on[0].at)
		}
		b = s.endBar(b, &last, on[0].line, severity)
		b = s.gap(b, &last, on[0].line)
		b = s.sourceLines(b, on, severity)
	}
	return s.endBar(b, &last, 0, severity)
}

// gap appends a line for those between the last line and the next one.
func (s *snippet) gap(b []byte, last *int, next int) []byte {
	if *last > 0 && next > *last+1 {
		b = s.palette.gutter.paint(b, "...")
		if s.bar != nil {
			b = append(b, strings.Repeat(" ", s.digits)...)
			b = s.barStyle.paint(b, "|")
		}
		b = append(b, '\n')
	}
	*last = next
	return b
}

// hasBars reports whether a place in a file is on several lines.
func (s *snippet) hasBars(file int) bool {
	return slices.ContainsFunc(s.places, func(p shownPlace) bool { return p.file == file && len(p.at.Below) > 0 })
}

// endBar appends the further lines of the place with the bar up to a line, which
// is not one of them, and if these are all, its end. Line 0 is after all lines.
func (s *snippet) endBar(b []byte, last *int, before int, severity style) []byte {
	if s.bar == nil {
		return b
	}
	end := s.bar.last()
	if end <= *last {
		return s.closeBar(b, severity)
	}
	for i := range s.bar.at.Below {
		line := &s.bar.at.Below[i]
		if line.Line <= *last || before > 0 && line.Line >= before {
			continue
		}
		b = s.gap(b, last, line.Line)
		b = s.further(b, line)
		if line.Line == end {
			return s.closeBar(b, severity)
		}
	}
	return b
}

// further appends a line of the place with the bar.
func (s *snippet) further(b []byte, line *source.ExcerptLine) []byte {
	s.excerpts = append(s.excerpts[:0], source.Excerpt{Text: line.Text, Column: 1, CutRight: line.CutRight})
	s.columns = append(s.columns[:0], 1)
	s.line.set(s.excerpts, s.columns, s.room())
	b = s.gutter(b, line.Line, len(s.line.text) == 0 && s.bar == nil)
	return append(append(b, s.line.text...), '\n')
}

// beginBar begins the bar of a place at its first line, if that has no other text
// before the place. The gutter of the line was appended.
func (s *snippet) beginBar(b []byte, p *shownPlace, severity style) []byte {
	left, _ := s.line.columnsOf(p.column(), p.column())
	if strings.TrimSpace(string(s.line.text[:min(left, len(s.line.text))])) != "" {
		return b
	}
	s.bar = p
	s.barStyle, _ = s.lookOf(p, severity)
	b = s.barStyle.paint(b[:len(b)-len("  ")], "/")
	return append(b, ' ')
}

// leadToBar appends the line that leads from the start of a place to its bar.
func (s *snippet) leadToBar(b []byte, p *shownPlace, severity style) []byte {
	style, sign := s.lookOf(p, severity)
	left, _ := s.line.columnsOf(p.column(), p.column())
	b = s.gutter(b, 0, false)
	b = style.paint(b[:len(b)-len(" ")], strings.Repeat("_", left+1), sign)
	s.bar, s.barStyle = p, style
	return append(b, '\n')
}

// closeBar appends the end of the bar, with its label.
func (s *snippet) closeBar(b []byte, severity style) []byte {
	p := s.bar
	style, sign := s.lookOf(p, severity)
	s.bar = nil
	end := p.at.Span.End.Column
	_, right := s.line.columnsOf(end-1, end)
	b = s.gutter(b, 0, false)
	b = style.paint(b[:len(b)-len("  ")], "|", strings.Repeat("_", right), sign)
	label, room := visible(p.label), s.room()
	if label != "" && (room == 0 || right+1+columns(label) <= room) {
		b = append(b, ' ')
		return append(style.paint(b, label), '\n')
	}
	b = append(b, '\n')
	if label != "" {
		return s.hangLabel(b, nil, mark{left: right - 1, style: style, label: label})
	}
	return b
}

// sourceLines appends the line of some places. A line without room for windows
// around all of them is shown several times.
func (s *snippet) sourceLines(b []byte, on []shownPlace, severity style) []byte {
	if room := s.room(); room > 0 && len(on) > room/minExcerpt {
		s.excerpts = s.excerpts[:0]
		for i := range on {
			s.excerpts = append(s.excerpts, on[i].at.Excerpt)
		}
		if excerptColumns(joinExcerpts(s.excerpts)) > room {
			slices.SortStableFunc(on, func(a, b shownPlace) int { return cmp.Compare(a.column(), b.column()) })
			for windows := range slices.Chunk(on, room/minExcerpt) {
				b = s.sourceLine(b, windows, severity)
			}
			return b
		}
	}
	return s.sourceLine(b, on, severity)
}

// fileName appends the name of the file that the next lines are from.
func (s *snippet) fileName(b []byte, path string, p *source.Place) []byte {
	b = s.gutter(b, 0, true)
	b = append(b, strings.Repeat(" ", s.digits)...)
	b = s.palette.gutter.paint(b, "::: ")
	b = append(s.palette.path.paint(b, placeText(path, p.Span.Start)), '\n')
	return s.gutter(b, 0, true)
}

// gutter starts a line with a line number, or without one if it is 0. An empty
// line ends after it.
func (s *snippet) gutter(b []byte, line int, empty bool) []byte {
	number := ""
	if line > 0 {
		number = strconv.Itoa(line)
	}
	b = s.palette.gutter.paint(b, strings.Repeat(" ", s.digits-len(number)), number, " |")
	if empty {
		return append(b, '\n')
	}
	b = append(b, ' ')
	if !s.barred {
		return b
	}
	if s.bar == nil {
		return append(b, "  "...)
	}
	b = s.barStyle.paint(b, "|")
	return append(b, ' ')
}

// room returns the columns for source text, 0 for no limit.
func (s *snippet) room() int {
	if s.width <= 0 {
		return 0
	}
	room := s.width - s.digits - len(" | ")
	if s.barred {
		room -= len("| ")
	}
	return max(room, minExcerpt)
}

// sourceLine appends a line and the marks under it.
func (s *snippet) sourceLine(b []byte, on []shownPlace, severity style) []byte {
	s.excerpts, s.columns, s.marks = s.excerpts[:0], s.columns[:0], s.marks[:0]
	var begins *shownPlace // gets the bar
	for i := range on {
		p := &on[i]
		s.excerpts = append(s.excerpts, p.at.Excerpt)
		s.columns = append(s.columns, p.column())
		if s.bar == nil && len(p.at.Below) > 0 && (begins == nil || p.primary) {
			begins = p
		}
	}
	s.line.set(s.excerpts, s.columns, s.room())
	b = s.gutter(b, on[0].line, len(s.line.text) == 0)
	if begins != nil {
		b = s.beginBar(b, begins, severity)
	}
	if len(s.line.text) > 0 {
		b = append(append(b, s.line.text...), '\n')
	}
	for i := range on {
		if p := &on[i]; p != begins {
			s.marks = append(s.marks, s.markOf(p, severity))
		}
	}
	if len(s.marks) > 0 {
		b = s.underline(b)
	}
	if begins != nil && s.bar == nil {
		b = s.leadToBar(b, begins, severity)
	}
	return b
}

// markOf returns the mark of a place, up to the end of the current line.
func (s *snippet) markOf(p *shownPlace, severity style) mark {
	span := p.at.Span
	to := span.End.Column
	if span.End.Line != span.Start.Line {
		to = s.line.end()
	}
	m := mark{label: p.label}
	m.style, m.sign = s.lookOf(p, severity)
	m.left, m.right = s.line.columnsOf(p.column(), to)
	return m
}

// lookOf returns the style and the sign of the underlines of a place.
func (s *snippet) lookOf(p *shownPlace, severity style) (style, string) {
	if p.primary {
		return severity, "^"
	}
	return s.palette.related, "-"
}
