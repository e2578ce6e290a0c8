package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/internal/source"
)

const (
	minExcerpt = 20     // columns to which a source line is cropped at least
	tab        = "    " // replaces a tab: a tab stop would depend on the gutter
	cutMark    = "…"
)

// snippet writes the source lines of one finding, with line numbers in a
// gutter.
type snippet struct {
	palette *palette
	digits  int // of the highest line number
	room    int // columns for a source line, 0 means no limit

	last     source.Excerpt // the source line written last
	lastLine int            // its number
	at       excerptLine    // the place written last
}

// reset prepares for the lines of another finding, for a terminal of a width in
// columns.
func (s *snippet) reset(palette *palette, digits, width int) {
	*s = snippet{palette: palette, digits: digits, at: s.at}
	if width > 0 {
		s.room = max(width-digits-len("   | "), minExcerpt)
	}
}

// source writes the source line of a place, unless it was the last one written.
func (s *snippet) source(b []byte, p *source.Place) []byte {
	line, shown := known(p.Span.Start).Line, p.Excerpt
	if s.room > 0 {
		shown = cropExcerpt(shown, p.Span.Start.Column, s.room)
	}
	s.at.render(p.Span, shown)
	if shown == s.last && line == s.lastLine {
		return b
	}
	s.last, s.lastLine = shown, line
	b = s.gutter(b, line)
	if len(s.at.text) > 0 {
		b = append(b, ' ')
		b = append(b, s.at.text...)
	}
	return append(b, '\n')
}

// fileName writes the name of the file that the next lines are from.
func (s *snippet) fileName(b []byte, path string, p *source.Place) []byte {
	s.last, s.lastLine = source.Excerpt{}, 0
	at := known(p.Span.Start)
	b = append(s.gutter(b, 0), ' ')
	b = append(b, s.palette.path.on...)
	b = append(appendVisible(b, path), ':')
	b = append(strconv.AppendInt(b, int64(at.Line), 10), ':')
	b = strconv.AppendInt(b, int64(at.Column), 10)
	b = append(b, s.palette.path.off...)
	return append(b, '\n')
}

// caret underlines the place.
func (s *snippet) caret(b []byte, style style) []byte {
	b = append(s.underPlace(b), style.on...)
	b = append(b, '^')
	b = appendRepeated(b, '~', s.at.width-1)
	b = append(b, style.off...)
	return append(b, '\n')
}

// label writes a message under the place.
func (s *snippet) label(b []byte, message string) []byte {
	b = append(s.underPlace(b), s.palette.related.on...)
	b = append(b, "- "...)
	b = appendVisible(b, message)
	b = append(b, s.palette.related.off...)
	return append(b, '\n')
}

// underPlace starts a line under the source line, up to the column of the place.
func (s *snippet) underPlace(b []byte) []byte {
	b = append(s.gutter(b, 0), ' ')
	return appendRepeated(b, ' ', s.at.before)
}

// gutter starts a line with a line number, or without one if it is 0.
func (s *snippet) gutter(b []byte, line int) []byte {
	b = append(b, "  "...)
	b = append(b, s.palette.gutter.on...)
	var number [20]byte
	text := number[:0]
	if line > 0 {
		text = strconv.AppendInt(text, int64(line), 10)
	}
	b = appendRepeated(b, ' ', s.digits-len(text))
	b = append(b, text...)
	b = append(b, " |"...)
	return append(b, s.palette.gutter.off...)
}

func appendRepeated(b []byte, c byte, n int) []byte {
	for range n {
		b = append(b, c)
	}
	return b
}

// excerptLine is an excerpt as shown, and the place on it, in columns of the
// terminal.
type excerptLine struct {
	text   []byte
	before int // columns to the left of the place
	width  int // columns of the place, at least one
}

// render sets the line to an excerpt and the place of a span on it.
func (s *excerptLine) render(at source.Span, e source.Excerpt) {
	from, to := indices(at, e)
	b := s.text[:0]
	if e.CutLeft {
		b = append(b, cutMark...)
	}
	b, start, end := appendMarked(b, strings.TrimRight(e.Text, "\r\n"), from, to)
	s.before, s.width = columns(b[:start]), max(1, columns(b[start:end]))
	if e.CutRight {
		b = append(b, cutMark...)
	}
	s.text = b
}

// indices returns where a span starts and ends in an excerpt, in code points
// from 0. For a span of several lines the end is -1.
func indices(at source.Span, e source.Excerpt) (from, to int) {
	from = max(0, at.Start.Column-e.Column)
	if at.End.Line != at.Start.Line {
		return from, -1
	}
	return from, max(from, at.End.Column-e.Column)
}

// appendMarked appends a text as shown, and returns at which bytes two of its
// code points start; for one past the end, or -1, that is the end.
func appendMarked(b []byte, text string, from, to int) (shown []byte, start, end int) {
	if at := len(b); countPrintable(text) == len(text) {
		b = append(b, text...)
		if to < 0 {
			to = len(text)
		}
		return b, at + min(from, len(text)), at + min(to, len(text))
	}
	start, end = -1, -1
	i := 0
	for _, r := range text {
		if i == from {
			start = len(b)
		}
		if i == to {
			end = len(b)
		}
		b = appendSource(b, r)
		i++
	}
	if start < 0 {
		start = len(b)
	}
	if end < start {
		end = len(b)
	}
	return b, start, end
}

// appendSource appends a character of a source line as shown.
func appendSource(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf && isPrintable(byte(r)):
		return append(b, byte(r))
	case r == '\t':
		return append(b, tab...)
	}
	return appendRune(b, r)
}

// cropExcerpt crops an excerpt to a window around a column, from 1, that takes
// at most room columns of a terminal, cut marks included. A third of the window
// is to the left of the column, or more if the line ends early.
func cropExcerpt(e source.Excerpt, column, room int) source.Excerpt {
	runes := []rune(e.Text)
	total := 0
	for _, r := range runes {
		total += runeColumns(r)
	}
	if total+2 <= room {
		return e
	}
	focus := min(max(0, column-e.Column), len(runes))
	room -= 2 * columns([]byte(cutMark))
	from, taken := growLeft(runes, focus, room/3)
	to := focus
	for to < len(runes) && taken+runeColumns(runes[to]) <= room {
		taken += runeColumns(runes[to])
		to++
	}
	from, _ = growLeft(runes, from, room-taken)
	return source.Excerpt{
		Text:     string(runes[from:to]),
		Column:   e.Column + from,
		CutLeft:  e.CutLeft || from > 0,
		CutRight: e.CutRight || to < len(runes),
	}
}

// growLeft moves an index left while the characters fit in room columns. It
// returns the new index and the columns taken.
func growLeft(runes []rune, index, room int) (from, taken int) {
	for index > 0 && taken+runeColumns(runes[index-1]) <= room {
		index--
		taken += runeColumns(runes[index])
	}
	return index, taken
}

// runeColumns returns how many columns a character takes as shown.
func runeColumns(r rune) int { return columns(appendSource(nil, r)) }

// columns returns how many columns of a terminal a text takes. It does not
// depend on the locale, so that a report is the same everywhere.
func columns(text []byte) int {
	if countPrintable(text) == len(text) {
		return len(text)
	}
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(string(text))
}
