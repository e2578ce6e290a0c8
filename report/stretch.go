package report

import (
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/source"
)

const (
	tab     = "    " // how a tab is shown: a stop would depend on the gutter
	cutMark = "…"
)

// stretch is an excerpt as it is shown, and where on it a place lies.
type stretch struct {
	text   []byte
	before int // columns to the left of the place
	width  int // columns of the place, at least one
}

// layOut makes an excerpt fit to be shown and finds the place on it.
func (s *stretch) layOut(at source.Span, e source.Excerpt) {
	from, to := indices(at, e)
	b := s.text[:0]
	if e.CutLeft {
		b = append(b, cutMark...)
	}
	start, end, i := -1, -1, 0
	for _, r := range strings.TrimRight(e.Text, "\r\n") {
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
	s.before, s.width = columns(b[:start]), max(1, columns(b[start:end]))
	if e.CutRight {
		b = append(b, cutMark...)
	}
	s.text = b
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
