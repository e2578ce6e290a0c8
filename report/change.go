package report

import (
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
	var b []byte
	for i := range findings {
		f := &findings[i]
		b = t.gutter(b, 1, "--> ")
		b = t.palette.path.paint(b, placeText(f.Path, f.Place.Span.Start))
		b = append(append(b, recordText(f)...), '\n')
		if change, ok := preview.Of(f); ok {
			b = t.change(b, 1, &change)
		} else {
			b = t.fix(b, 1, f.Fix)
		}
		b = append(b, '\n')
	}
	return b
}

// fix appends what a fix does, in words.
func (t *findingText) fix(b []byte, digits int, fix *lint.Fix) []byte {
	name := "fix:"
	if !fix.Safe {
		name = "unsafe fix:"
	}
	return t.note(b, digits, name, visible(fix.Message))
}

// change appends what changes in a record as two lines, before and after, as in a patch:
// windows around what changes that begin at the same place.
func (t *findingText) change(b []byte, digits int, change *preview.Change) []byte {
	indent, room := strings.Repeat(" ", digits+len("   ")), t.options.Width
	if room > 0 {
		room = max(minExcerpt, room-len(indent)-len("- "))
	}
	sides := []struct {
		sign    string
		excerpt *preview.Excerpt
		style   style
	}{{"- ", &change.Before, t.palette.removed}, {"+ ", &change.After, t.palette.added}}
	left := len(change.Before.Text) + len(change.After.Text) // bytes before what changes
	for _, side := range sides {
		if side.excerpt.Text != "" {
			left = min(left, side.excerpt.From-windowStart(side.excerpt, room))
		}
	}
	for _, side := range sides {
		if side.excerpt.Text == "" {
			continue
		}
		b = side.style.paint(append(b, indent...), side.sign)
		b = append(appendChanged(b, side.excerpt, side.excerpt.From-left, room, side.style), '\n')
	}
	return b
}

// windowStart returns where the window around what changes begins, in bytes.
func windowStart(e *preview.Excerpt, room int) int {
	if room <= 0 || columns(appendSource(nil, e.Text)) <= room {
		return 0
	}
	cropped := cropExcerpt(source.Excerpt{Text: e.Text, Column: 1}, utf8.RuneCountInString(e.Text[:e.From])+1, room)
	return len(e.Text) - len(strings.TrimPrefix(e.Text, string([]rune(e.Text)[:cropped.Column-1])))
}

// appendChanged appends one side of a change from a byte on, with what changes in a
// style.
func appendChanged(b []byte, e *preview.Excerpt, from, room int, style style) []byte {
	to := len(e.Text)
	if room > 0 {
		room -= 2 * columns(cutMark)
		for i, r := range e.Text[from:] {
			if room -= runeColumns(r); room < 0 {
				to = from + i
				break
			}
		}
	}
	if e.CutLeft || from > 0 {
		b = append(b, cutMark...)
	}
	start, end := max(from, min(e.From, to)), min(max(from, e.To), to)
	b = appendSource(b, e.Text[from:start])
	if start < end {
		b = style.paint(b, string(appendSource(nil, e.Text[start:end])))
	}
	b = appendSource(b, e.Text[end:to])
	if e.CutRight || to < len(e.Text) {
		b = append(b, cutMark...)
	}
	return b
}
