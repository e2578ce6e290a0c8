package report

import (
	"cmp"
	"slices"
	"strconv"

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
// It reuses its memory.
type snippet struct {
	palette *palette
	digits  int // of the highest line number
	width   int // columns of the terminal, 0 means no limit

	files    []string // those of the places; that of the finding is the first one
	places   []shownPlace
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
	for _, p := range s.places {
		s.digits = max(s.digits, digitsOf(p.line))
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

func digitsOf(n int) (digits int) {
	for digits = 1; n >= 10; n /= 10 {
		digits++
	}
	return digits
}

// write appends the lines, with an empty one before them.
func (s *snippet) write(b []byte, severity style) []byte {
	file := 0
	last := 0 // number of the last line, 0 at the start of a file
	b = s.gutter(b, 0, true)
	for rest := s.places; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].file == rest[0].file && rest[n].line == rest[0].line {
			n++
		}
		on := rest[:n]
		rest = rest[n:]
		switch {
		case on[0].file != file:
			file = on[0].file
			b = s.fileName(b, s.files[file], on[0].at)
		case last > 0 && on[0].line > last+1:
			b = s.palette.gutter.paint(b, "...")
			b = append(b, '\n')
		}
		last = on[0].line
		b = s.sourceLines(b, on, severity)
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
	b = appendRepeated(b, ' ', s.digits)
	b = s.palette.gutter.paint(b, "::: ")
	b = append(b, s.palette.path.on...)
	b = appendPlace(b, path, p.Span.Start)
	b = append(append(b, s.palette.path.off...), '\n')
	return s.gutter(b, 0, true)
}

// gutter starts a line with a line number, or without one if it is 0. An empty
// line ends after it.
func (s *snippet) gutter(b []byte, line int, empty bool) []byte {
	b = append(b, s.palette.gutter.on...)
	digits := 0
	if line > 0 {
		digits = digitsOf(line)
	}
	b = appendRepeated(b, ' ', s.digits-digits)
	if line > 0 {
		b = strconv.AppendInt(b, int64(line), 10)
	}
	b = append(b, " |"...)
	b = append(b, s.palette.gutter.off...)
	if empty {
		return append(b, '\n')
	}
	return append(b, ' ')
}

// room returns the columns for source text, 0 for no limit.
func (s *snippet) room() int {
	if s.width <= 0 {
		return 0
	}
	return max(s.width-s.digits-len(" | "), minExcerpt)
}

// sourceLine appends a line and the marks under it.
func (s *snippet) sourceLine(b []byte, on []shownPlace, severity style) []byte {
	s.excerpts, s.columns, s.marks = s.excerpts[:0], s.columns[:0], s.marks[:0]
	for i := range on {
		s.excerpts = append(s.excerpts, on[i].at.Excerpt)
		s.columns = append(s.columns, on[i].column())
	}
	s.line.set(s.excerpts, s.columns, s.room())
	if len(s.line.text) == 0 {
		b = s.gutter(b, on[0].line, true)
	} else {
		b = s.gutter(b, on[0].line, false)
		b = append(append(b, s.line.text...), '\n')
	}
	for i := range on {
		span := on[i].at.Span
		from, to := on[i].column(), span.End.Column
		if span.End.Line != span.Start.Line {
			to = s.line.end()
		}
		m := mark{label: on[i].label, style: s.palette.related, sign: '-'}
		if on[i].primary {
			m.style, m.sign = severity, '^'
		}
		m.left, m.right = s.line.columnsOf(from, to)
		s.marks = append(s.marks, m)
	}
	return s.underline(b)
}

func appendRepeated(b []byte, c byte, n int) []byte {
	for range n {
		b = append(b, c)
	}
	return b
}
