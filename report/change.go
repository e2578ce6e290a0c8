package report

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"

	"github.com/lmclint/lmclint/internal/show/ink"
	"github.com/lmclint/lmclint/internal/show/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// maxFixes is how many fixes of an input are shown with its findings.
const maxFixes = 10

// Fixes returns what the fixes of findings do, for a terminal: the place of each, and what
// changes in its record, or in words if that is not known.
func Fixes(findings []lint.Finding, o Options) []byte {
	t := newFindingText(o)
	t.digits, t.noted = 1, true
	shown := ""
	for i := range findings {
		f := &findings[i]
		shown += t.head("--> ") + t.place(f) + "\n"
		if change, ok := preview.Of(f); ok {
			shown += t.change(&change)
		} else {
			shown += t.fix(f.Fix)
		}
		shown += "\n"
	}
	return []byte(shown)
}

// fix returns what a fix does, in words.
func (t *findingText) fix(fix *lint.Fix) string {
	name := "fix:"
	if !fix.Safe {
		name = "unsafe fix:"
	}
	return t.note(name, visible(fix.Message))
}

// change returns what changes in a record as two lines, before and after, as in a patch:
// windows around what changes that begin at the same place.
func (t *findingText) change(change *preview.Change) string {
	indent, room := strings.Repeat(" ", t.digits+len("   ")), math.MaxInt
	if width := t.options.Width; width > 0 {
		room = max(minExcerpt, width-len(indent)-len("- "))
	}
	type side struct {
		sign     string
		color    color.Attribute
		line     shownLine
		from, to int // the characters that change
	}
	var sides []*side
	left := math.MaxInt // characters before what changes
	for i, e := range []preview.Excerpt{change.Before, change.After} {
		if e.Text == "" {
			continue
		}
		s := &side{sign: "- ", color: color.FgRed, from: utf8.RuneCountInString(e.Text[:e.From]), to: utf8.RuneCountInString(e.Text[:e.To])}
		if i > 0 {
			s.sign, s.color = "+ ", color.FgGreen
		}
		s.line.set(source.Excerpt{Text: e.Text, Column: 1, CutLeft: e.CutLeft, CutRight: e.CutRight})
		start := 0
		if s.line.width() > room {
			start, _ = s.line.window(s.from+1, room)
		}
		left = min(left, s.from-start)
		sides = append(sides, s)
	}
	shown := ""
	for _, s := range sides {
		start, end := s.from-left, len(s.line.chars)
		if s.line.width() > room {
			end = s.line.fit(start, end, room-2*ink.Columns(ink.Cut))
		}
		if to := min(s.to, end); s.from < to {
			changed := ""
			for _, c := range s.line.chars[s.from:to] {
				changed += c.text
			}
			s.line.chars[s.from].text = t.ink.Paint(changed, s.color)
			for i := s.from + 1; i < to; i++ {
				s.line.chars[i].text = ""
			}
		}
		s.line.cutLeft, s.line.cutRight = s.line.cutLeft || start > 0, s.line.cutRight || end < len(s.line.chars)
		s.line.chars = s.line.chars[start:end]
		shown += indent + t.ink.Paint(s.sign, s.color) + s.line.text() + "\n"
	}
	return shown
}
