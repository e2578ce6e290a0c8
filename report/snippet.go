package report

import (
	"strconv"

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
