package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/source"
)

// snippet writes source lines behind a gutter with their numbers.
type snippet struct {
	out     *bytes.Buffer
	palette *palette
	digits  int // of the highest line number
	room    int // columns for a line, 0 means no limit

	last     source.Excerpt // the line written last
	lastLine int
}

// show writes the line of a place, unless it was the last one written, and a
// mark below where the place begins.
func (s *snippet) show(p source.Place, mark func(stretch) string) {
	line := known(p.Span.Start).Line
	if s.room > 0 {
		p.Excerpt = narrow(p.Excerpt, p.Span.Start.Column, s.room)
	}
	at := layOut(p)
	if p.Excerpt != s.last || line != s.lastLine {
		s.line(strconv.Itoa(line), at.text)
		s.last, s.lastLine = p.Excerpt, line
	}
	s.line("", strings.Repeat(" ", at.before)+mark(at))
}

func (s *snippet) line(number, text string) {
	gutter := s.palette.gutter.Sprintf("%*s |", s.digits, number)
	if text != "" {
		text = " " + text
	}
	fmt.Fprintf(s.out, "  %s%s\n", gutter, text)
}
