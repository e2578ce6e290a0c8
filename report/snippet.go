package report

import (
	"cmp"
	"math"
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

	files  []string     // those of the places; that of the finding is the first one
	places []shownPlace // by file and line
	bar    *shownPlace  // on several lines, if the current line is one of them; else nil
	barred bool         // there is such a place in the current file
	line   shownLine
	marks  []mark
	cells  []int // by column of the underlines, the index of the mark in marks from 1
}

// shownPlace is a place that a finding shows, or a further line of the place with the bar.
type shownPlace struct {
	file, line int // the file as an index in files
	column     int
	excerpt    source.Excerpt
	below      []source.ExcerptLine // of a place on several lines
	end        source.Position
	label      string // as shown
	sign       string // of its underlines; "" for a further line
	style      style
}

// last returns the number of the last line.
func (p *shownPlace) last() int {
	if n := len(p.below); n > 0 {
		return max(p.line, p.below[n-1].Line)
	}
	return p.line
}

func byLine(a, b shownPlace) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
}

// reset prepares for the places of another finding. It reports whether there
// is a source line to show.
func (s *snippet) reset(f *lint.Finding) bool {
	s.files, s.places = append(s.files[:0], f.Path), s.places[:0]
	s.add(f.Path, &f.Place, shownPlace{sign: "^", style: s.palette.severity(f.Severity)})
	for i := range f.Related {
		r := &f.Related[i]
		s.add(cmp.Or(r.Path, f.Path), &r.Place, shownPlace{sign: "-", style: s.palette.related, label: visible(r.Message)})
	}
	slices.SortStableFunc(s.places, byLine)
	s.digits = 1
	for i := range s.places {
		s.digits = max(s.digits, len(strconv.Itoa(s.places[i].last())))
	}
	return len(s.places) > 0
}

// add adds a place. An input without text has no line to show.
func (s *snippet) add(path string, at *source.Place, p shownPlace) {
	if at.Excerpt.Text == "" && p.label == "" && at.Span.Start.Offset == 0 {
		return
	}
	if p.file = slices.Index(s.files, path); p.file < 0 {
		p.file = len(s.files)
		s.files = append(s.files, path)
	}
	start := known(at.Span.Start)
	p.line, p.column, p.end, p.excerpt, p.below = start.Line, start.Column, at.Span.End, at.Excerpt, at.Below
	s.places = append(s.places, p)
}

// write appends the lines, with an empty one before them.
func (s *snippet) write(b []byte) []byte {
	file, last := 0, 0 // number of the last line, 0 at the start of a file
	s.bar, s.barred = nil, s.hasBars(0)
	b = s.gutter(b, 0, true)
	for len(s.places) > 0 {
		next, n := s.places[0], 1
		for n < len(s.places) && byLine(next, s.places[n]) == 0 {
			n++
		}
		if next.file != file {
			file, last = next.file, 0
			s.barred = s.hasBars(file)
			b = append(s.gutter(b, 0, true), strings.Repeat(" ", s.digits)...)
			b = s.palette.gutter.paint(b, "::: ")
			b = append(s.palette.path.paint(b, placeText(s.files[file], source.Position{Line: next.line, Column: next.column})), '\n')
			b = s.gutter(b, 0, true)
		}
		if last > 0 && next.line > last+1 {
			b = s.palette.gutter.paint(b, "...")
			if s.bar != nil {
				b = append(b, strings.Repeat(" ", s.digits)...)
				b = s.bar.style.paint(b, "|")
			}
			b = append(b, '\n')
		}
		last = next.line
		had := s.bar != nil
		b = s.sourceLine(b, s.places[:n])
		if s.bar != nil && !had {
			s.addFurther()
		}
		if s.bar != nil && s.bar.last() <= last {
			b = s.closeBar(b)
		}
		s.places = s.places[n:]
	}
	return b
}

// addFurther adds the further lines of the place with the bar, unless they are shown anyway.
func (s *snippet) addFurther() {
	for _, below := range s.bar.below {
		line := shownPlace{
			file: s.bar.file, line: below.Line, column: 1,
			excerpt: source.Excerpt{Text: below.Text, Column: 1, CutRight: below.CutRight},
		}
		if at, found := slices.BinarySearchFunc(s.places, line, byLine); !found {
			s.places = slices.Insert(s.places, at, line)
		}
	}
}

// hasBars reports whether a place in a file is on several lines.
func (s *snippet) hasBars(file int) bool {
	return slices.ContainsFunc(s.places, func(p shownPlace) bool { return p.file == file && len(p.below) > 0 })
}

// beginBar begins the bar of a place at its first line, if that has no other text
// before the place. The gutter of the line was appended.
func (s *snippet) beginBar(b []byte, p *shownPlace) []byte {
	isText := func(c char) bool { return c.column < p.column && strings.TrimSpace(c.text) != "" }
	if s.line.cutLeft || slices.ContainsFunc(s.line.chars, isText) {
		return b
	}
	s.bar = p
	b = p.style.paint(b[:len(b)-len("  ")], "/")
	return append(b, ' ')
}

// leadToBar appends the line that leads from the start of a place to its bar.
func (s *snippet) leadToBar(b []byte, p *shownPlace) []byte {
	left, _ := s.line.columnsOf(p.column, p.column)
	b = s.gutter(b, 0, false)
	b = p.style.paint(b[:len(b)-len(" ")], strings.Repeat("_", left+1), p.sign)
	s.bar = p
	return append(b, '\n')
}

// closeBar appends the end of the bar, with its label.
func (s *snippet) closeBar(b []byte) []byte {
	p := s.bar
	s.bar = nil
	_, right := s.line.columnsOf(p.end.Column-1, p.end.Column)
	b = s.gutter(b, 0, false)
	b = p.style.paint(b[:len(b)-len("  ")], "|", strings.Repeat("_", right), p.sign)
	end := mark{left: right - 1, style: p.style, label: p.label}
	b, fits := s.labelAfter(b, right, &end)
	if !fits && end.label != "" {
		b = s.hangLabel(b, nil, &end)
	}
	return b
}

// sourceLine appends the line of some places, and the marks under it. A line without room
// for windows around all of them is shown several times.
func (s *snippet) sourceLine(b []byte, on []shownPlace) []byte {
	var excerpts []source.Excerpt
	var at []int
	for i := range on {
		excerpts, at = append(excerpts, on[i].excerpt), append(at, on[i].column)
	}
	s.line.set(excerpts...)
	if room := s.room(); room > 0 && s.line.width() > room {
		if most := room / minExcerpt; len(on) > most {
			slices.SortStableFunc(on, func(a, b shownPlace) int { return cmp.Compare(a.column, b.column) })
			for windows := range slices.Chunk(on, most) {
				b = s.sourceLine(b, windows)
			}
			return b
		}
		s.line.crop(at, room)
	}
	var begins *shownPlace // gets the bar
	for i := range on {
		if p := &on[i]; s.bar == nil && len(p.below) > 0 && (begins == nil || p.sign == "^") {
			begins = p
		}
	}
	isEmpty := len(s.line.chars) == 0 && !s.line.cutLeft && s.bar == nil
	b = s.gutter(b, on[0].line, isEmpty)
	if begins != nil {
		b = s.beginBar(b, begins)
	}
	if !isEmpty {
		b = append(s.line.append(b), '\n')
	}
	s.marks = s.marks[:0]
	for i := range on {
		if p := &on[i]; p != begins && p.sign != "" {
			m := mark{label: p.label, sign: p.sign, style: p.style}
			to := p.end.Column
			if p.end.Line > p.line {
				to = math.MaxInt // the end of the line
			}
			m.left, m.right = s.line.columnsOf(p.column, to)
			s.marks = append(s.marks, m)
		}
	}
	if len(s.marks) > 0 {
		b = s.underline(b)
	}
	if begins != nil && s.bar == nil {
		b = s.leadToBar(b, begins)
	}
	return b
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
	b = s.bar.style.paint(b, "|")
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
