package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/internal/show/ink"
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
type snippet struct {
	ink    ink.Ink
	digits int // of the highest line number
	width  int // columns of the terminal, 0 means no limit

	files  []string     // those of the places; that of the finding is the first one
	places []shownPlace // by file and line
	bar    *shownPlace  // on several lines, if the current line is one of them; else nil
	barred bool         // there is such a place in the current file
	line   shownLine
	out    strings.Builder
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

// style is how a place is colored.
type style []color.Attribute

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
	s.addPlace(f.Path, &f.Place, shownPlace{sign: "^", style: severityStyle(f.Severity)})
	for i := range f.Related {
		r := &f.Related[i]
		s.addPlace(cmp.Or(r.Path, f.Path), &r.Place, shownPlace{sign: "-", style: style{color.FgBlue, color.Bold}, label: visible(r.Message)})
	}
	slices.SortStableFunc(s.places, byLine)
	s.digits = 1
	for i := range s.places {
		s.digits = max(s.digits, len(strconv.Itoa(s.places[i].last())))
	}
	return len(s.places) > 0
}

// addPlace adds a place. An input without text has no line to show.
func (s *snippet) addPlace(path string, at *source.Place, p shownPlace) {
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

// lines returns the lines, with an empty one before them.
func (s *snippet) lines() string {
	file, last := 0, 0 // number of the last line, 0 at the start of a file
	s.out.Reset()
	s.bar, s.barred = nil, s.hasBars(0)
	s.add(s.gutter(0), "\n")
	for len(s.places) > 0 {
		next, n := s.places[0], 1
		for n < len(s.places) && byLine(next, s.places[n]) == 0 {
			n++
		}
		if next.file != file {
			file, last = next.file, 0
			s.barred = s.hasBars(file)
			place := placeText(s.files[file], source.Position{Line: next.line, Column: next.column})
			s.add(s.gutter(0), "\n", strings.Repeat(" ", s.digits), s.ink.Paint("::: ", gutterColor), s.ink.Bold(place), "\n", s.gutter(0), "\n")
		}
		if last > 0 && next.line > last+1 {
			s.add(s.ink.Paint("...", gutterColor))
			if s.bar != nil {
				s.add(strings.Repeat(" ", s.digits), s.paint(s.bar.style, "|"))
			}
			s.add("\n")
		}
		last = next.line
		had := s.bar != nil
		s.sourceLine(s.places[:n])
		if s.bar != nil && !had {
			s.addFurther()
		}
		if s.bar != nil && s.bar.last() <= last {
			s.closeBar()
		}
		s.places = s.places[n:]
	}
	return s.out.String()
}

func (s *snippet) add(parts ...string) {
	for _, part := range parts {
		s.out.WriteString(part)
	}
}

func (s *snippet) paint(of style, text string) string { return s.ink.Paint(text, of...) }

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

// closeBar adds the end of the bar, with its label.
func (s *snippet) closeBar() {
	p := s.bar
	s.bar = nil
	_, right := s.line.columnsOf(p.end.Column-1, p.end.Column)
	s.add(s.gutter(0), " ", s.paint(p.style, "|"+strings.Repeat("_", right)+p.sign))
	end := mark{left: right - 1, style: p.style, label: p.label}
	if fits := s.labelAfter(right, &end); !fits && end.label != "" {
		s.hangLabel(nil, &end)
	}
}

// sourceLine adds the line of some places, and the marks under it. A line without room
// for windows around all of them is shown several times.
func (s *snippet) sourceLine(on []shownPlace) {
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
				s.sourceLine(windows)
			}
			return
		}
		s.line.crop(at, room)
	}
	var begins *shownPlace // gets the bar
	for i := range on {
		if p := &on[i]; s.bar == nil && len(p.below) > 0 && (begins == nil || p.sign == "^") {
			begins = p
		}
	}
	isText := func(c char) bool { return c.column < begins.column && strings.TrimSpace(c.text) != "" }
	switch {
	case begins != nil && !s.line.cutLeft && !slices.ContainsFunc(s.line.chars, isText): // no other text before the place
		s.bar = begins
		s.add(s.gutter(on[0].line), " ", s.paint(begins.style, "/"), " ", s.line.text())
	case len(s.line.chars) == 0 && !s.line.cutLeft && s.bar == nil:
		s.add(s.gutter(on[0].line))
	default:
		s.add(s.margin(on[0].line), s.line.text())
	}
	s.add("\n")
	var marks []mark
	for i := range on {
		if p := &on[i]; p != begins && p.sign != "" {
			m := mark{label: p.label, sign: p.sign, style: p.style}
			to := p.end.Column
			if p.end.Line > p.line {
				to = math.MaxInt // the end of the line
			}
			m.left, m.right = s.line.columnsOf(p.column, to)
			marks = append(marks, m)
		}
	}
	if len(marks) > 0 {
		s.underline(marks)
	}
	if begins != nil && s.bar == nil { // a line leads from the start of the place to its bar
		left, _ := s.line.columnsOf(begins.column, begins.column)
		s.add(s.gutter(0), "  ", s.paint(begins.style, strings.Repeat("_", left+1)+begins.sign), "\n")
		s.bar = begins
	}
}

// gutter returns the start of a line with a line number, or without one if it is 0.
func (s *snippet) gutter(line int) string {
	number := ""
	if line > 0 {
		number = strconv.Itoa(line)
	}
	return s.ink.Paint(strings.Repeat(" ", s.digits-len(number))+number+" |", gutterColor)
}

// margin returns the gutter of a line, and the bar or the room for it.
func (s *snippet) margin(line int) string {
	switch gutter := s.gutter(line) + " "; {
	case !s.barred:
		return gutter
	case s.bar == nil:
		return gutter + "  "
	default:
		return gutter + s.paint(s.bar.style, "|") + " "
	}
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
