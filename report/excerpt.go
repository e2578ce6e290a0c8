package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/internal/source"
)

// snippet writes source lines behind a gutter with their numbers.
type snippet struct {
	palette *palette
	digits  int // of the highest line number
	room    int // columns for a line, 0 means no limit

	last     source.Excerpt // the line written last
	lastLine int
	at       excerptLine // the place shown last
}

// begin makes the snippet ready for the lines of another finding, in so many
// columns.
func (s *snippet) begin(palette *palette, digits, width int) {
	*s = snippet{palette: palette, digits: digits, at: s.at}
	if width > 0 {
		s.room = max(width-digits-len("   | "), narrowest)
	}
}

// source writes the line of a place, unless it was the last one written.
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

// elsewhere says that the lines behind it are of another file.
func (s *snippet) elsewhere(b []byte, path string, p *source.Place) []byte {
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

// caret writes a line that underlines the place.
func (s *snippet) caret(b []byte, ink style) []byte {
	b = append(s.underPlace(b), ink.on...)
	b = append(b, '^')
	b = appendRepeated(b, '~', s.at.width-1)
	b = append(b, ink.off...)
	return append(b, '\n')
}

// remark writes a line that says what is at the place.
func (s *snippet) remark(b []byte, message string) []byte {
	b = append(s.underPlace(b), s.palette.related.on...)
	b = append(b, "- "...)
	b = appendVisible(b, message)
	b = append(b, s.palette.related.off...)
	return append(b, '\n')
}

// underPlace begins a line under the source, up to where the place begins.
func (s *snippet) underPlace(b []byte) []byte {
	b = append(s.gutter(b, 0), ' ')
	return appendRepeated(b, ' ', s.at.before)
}

// gutter begins a line with the number of a source line, or without if it
// is 0.
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

const (
	tab     = "    " // how a tab is shown: a stop would depend on the gutter
	cutMark = "…"
)

// stretch is an excerpt as it is shown, and where on it a place lies.
type excerptLine struct {
	text   []byte
	before int // columns to the left of the place
	width  int // columns of the place, at least one
}

// layOut makes an excerpt fit to be shown and finds the place on it.
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

// appendMarked appends a text as it is shown, and says where in it two of its
// code points begin. One that it does not have begins at its end.
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

// indices returns where a place begins and ends on its excerpt, in code
// points. A place that goes on beyond the line ends behind it.
func indices(at source.Span, e source.Excerpt) (from, to int) {
	from = max(0, at.Start.Column-e.Column)
	if at.End.Line != at.Start.Line {
		return from, -1
	}
	return from, max(from, at.End.Column-e.Column)
}

func appendSource(b []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf && isPrintable(byte(r)):
		return append(b, byte(r))
	case r == '\t':
		return append(b, tab...)
	}
	return appendRune(b, r)
}

// columns returns how many columns of a terminal a text takes. The locale is
// not asked, so that a report looks the same everywhere.
func columns(text []byte) int {
	if countPrintable(text) == len(text) {
		return len(text)
	}
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(string(text))
}

// narrowest is the least room in which a source line is worth showing.
const narrowest = 20

// narrow cuts an excerpt to a window round a column that takes at most room
// columns of a terminal, the cut marks included. A third of the window
// lies to the left of the column, or more where the line ends early.
func cropExcerpt(e source.Excerpt, column, room int) source.Excerpt {
	if columns(shownAs(e.Text))+2 <= room {
		return e
	}
	runes := []rune(e.Text)
	focus := min(max(0, column-e.Column), len(runes))
	room -= 2 * columns([]byte(cutMark))
	from, taken := growLeft(runes, focus, room/3)
	to := focus
	for to < len(runes) && taken+cost(runes[to]) <= room {
		taken += cost(runes[to])
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

// growLeft takes characters to the left of an index while there is room for
// them. It returns the new index and the columns taken.
func growLeft(runes []rune, index, room int) (from, taken int) {
	for index > 0 && taken+cost(runes[index-1]) <= room {
		index--
		taken += cost(runes[index])
	}
	return index, taken
}

// cost returns how many columns a character takes when it is shown.
func cost(r rune) int { return columns(appendSource(nil, r)) }

func shownAs(text string) []byte {
	b := make([]byte, 0, len(text))
	for _, r := range text {
		b = appendSource(b, r)
	}
	return b
}
