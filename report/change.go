package report

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// maxFixes is how many fixes of an input are shown with its findings.
const maxFixes = 10

// Fixes returns what the fixes of findings do, for a terminal: the place of each, and what
// changes in its record, or in words if that is not known.
func Fixes(findings []lint.Finding, o Options) []byte {
	t := newFindingText(o)
	t.snippet.digits, t.noted = 1, true
	var b []byte
	for i := range findings {
		f := &findings[i]
		b = t.gutter(b, "--> ")
		b = t.palette.path.paint(b, placeText(f.Path, f.Place.Span.Start))
		b = append(append(b, recordText(f)...), '\n')
		if change, ok := preview.Of(f); ok {
			b = t.change(b, &change)
		} else {
			b = t.fix(b, f.Fix)
		}
		b = append(b, '\n')
	}
	return b
}

// fix appends what a fix does, in words.
func (t *findingText) fix(b []byte, fix *lint.Fix) []byte {
	name := "fix:"
	if !fix.Safe {
		name = "unsafe fix:"
	}
	return t.note(b, name, visible(fix.Message))
}

// change appends what changes in a record as two lines, before and after, as in a patch:
// windows around what changes that begin at the same place.
func (t *findingText) change(b []byte, change *preview.Change) []byte {
	indent, room := strings.Repeat(" ", t.snippet.digits+len("   ")), math.MaxInt
	if width := t.options.Width; width > 0 {
		room = max(minExcerpt, width-len(indent)-len("- "))
	}
	type side struct {
		sign     string
		style    style
		line     shownLine
		from, to int // the characters that change
	}
	var sides []*side
	left := math.MaxInt // characters before what changes
	for i, e := range []preview.Excerpt{change.Before, change.After} {
		if e.Text == "" {
			continue
		}
		s := &side{sign: "- ", style: t.palette.removed, from: utf8.RuneCountInString(e.Text[:e.From]), to: utf8.RuneCountInString(e.Text[:e.To])}
		if i > 0 {
			s.sign, s.style = "+ ", t.palette.added
		}
		s.line.set(source.Excerpt{Text: e.Text, Column: 1, CutLeft: e.CutLeft, CutRight: e.CutRight})
		start := 0
		if s.line.width() > room {
			start, _ = s.line.window(s.from+1, room)
		}
		left = min(left, s.from-start)
		sides = append(sides, s)
	}
	for _, s := range sides {
		start, end := s.from-left, len(s.line.chars)
		if s.line.width() > room {
			end = s.line.fit(start, end, room-2*columns(cutMark))
		}
		if to := min(s.to, end); s.from < to {
			first, last := &s.line.chars[s.from], &s.line.chars[to-1]
			first.text, last.text = s.style.on+first.text, last.text+s.style.off
		}
		s.line.cutLeft, s.line.cutRight = s.line.cutLeft || start > 0, s.line.cutRight || end < len(s.line.chars)
		s.line.chars = s.line.chars[start:end]
		b = append(s.line.append(s.style.paint(append(b, indent...), s.sign)), '\n')
	}
	return b
}
