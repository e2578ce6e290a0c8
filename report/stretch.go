package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/internal/source"
)

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
