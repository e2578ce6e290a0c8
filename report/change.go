package report

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// maxFixes is how many fixes of an input are shown with its findings.
const maxFixes = 10

// ChangeText returns a change as two lines, before and after, as in a patch. Both are
// cropped to a window of so many columns around what changes; 0 means no limit. It
// ends with a line feed.
func ChangeText(c *preview.Change, indent string, room int, color bool) string {
	palette := newPalette(color)
	sides := []struct {
		sign    string
		excerpt *preview.Excerpt
		style   style
	}{{"- ", &c.Before, palette.removed}, {"+ ", &c.After, palette.added}}
	left := len(c.Before.Text) + len(c.After.Text) // bytes before what changes
	for _, side := range sides {
		if side.excerpt.Text != "" {
			left = min(left, side.excerpt.From-windowStart(side.excerpt, room))
		}
	}
	var b []byte
	for _, side := range sides {
		if side.excerpt.Text == "" {
			continue
		}
		b = side.style.paint(append(b, indent...), side.sign)
		b = append(appendChanged(b, side.excerpt, side.excerpt.From-left, room, side.style), '\n')
	}
	return string(b)
}

// Changes returns what changes in an input, for a terminal: the place of each change,
// the lines of [ChangeText]. The result is that of the text after it.
func Changes(r *lint.Result, before, after []byte, o Options) []byte {
	palette, room, spans := newPalette(o.Color), 0, r.Spans
	what := "record"
	if r.Kind == "transcript" {
		what = "message"
	}
	if o.Width > 0 {
		room = max(minExcerpt, o.Width-len("    - "))
	}
	var b []byte
	for _, c := range preview.Between(before, after) {
		b = palette.gutter.paint(b, " --> ")
		b = palette.path.paint(b, placeText(r.Path, source.Position{Line: c.Line, Column: c.Column}))
		at := sort.Search(len(spans), func(i int) bool { return spans[i].End > int64(c.Offset) })
		if at < len(spans) && at+1 != c.Line {
			b = fmt.Appendf(b, " (%s %d)", what, at)
		}
		b = append(append(b, '\n'), ChangeText(&c.Change, "    ", room, o.Color)...)
		b = append(b, '\n')
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
