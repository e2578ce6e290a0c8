package report

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/lmclint/lmclint/source"
)

const (
	tab     = "    " // how a tab is shown: a stop would depend on the gutter
	cutMark = "…"
)

// stretch is an excerpt as it is shown, and where on it a place lies.
type stretch struct {
	text   string
	before int // columns to the left of the place
	width  int // columns of the place, at least one
}

// layOut makes an excerpt fit to be shown and finds the place on it.
func layOut(p source.Place) stretch {
	from, to := indices(p)
	var b strings.Builder
	if p.Excerpt.CutLeft {
		b.WriteString(cutMark)
	}
	start, end, i := -1, -1, 0
	for _, r := range strings.TrimRight(p.Excerpt.Text, "\r\n") {
		if i == from {
			start = b.Len()
		}
		if i == to {
			end = b.Len()
		}
		writeSource(&b, r)
		i++
	}
	if start < 0 {
		start = b.Len()
	}
	if end < start {
		end = b.Len()
	}
	shown := b.String()
	at := stretch{text: shown, before: columns(shown[:start]), width: max(1, columns(shown[start:end]))}
	if p.Excerpt.CutRight {
		at.text += cutMark
	}
	return at
}

// indices returns where the place begins and ends on its excerpt, in code
// points. A place that goes on beyond the line ends behind it.
func indices(p source.Place) (from, to int) {
	start, end := p.Span.Start, p.Span.End
	from = max(0, start.Column-p.Excerpt.Column)
	if end.Line != start.Line {
		return from, -1
	}
	return from, max(from, end.Column-p.Excerpt.Column)
}

// caret underlines the place.
func (s stretch) caret() string { return "^" + strings.Repeat("~", s.width-1) }

func writeSource(b *strings.Builder, r rune) {
	if r == '\t' {
		b.WriteString(tab)
		return
	}
	writeVisible(b, r)
}

// columns returns how many columns of a terminal a text takes. The locale is
// not asked, so that a report looks the same everywhere.
func columns(s string) int {
	return (&runewidth.Condition{StrictEmojiNeutral: true}).StringWidth(s)
}
