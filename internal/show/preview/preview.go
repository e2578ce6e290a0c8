// Package preview shows people what a fix changes: a part of a record before and
// after it.
package preview

import (
	"strings"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Change is a part of a text before and after a fix, for people. Before or After
// is empty if a record is inserted or removed.
type Change struct{ Before, After Excerpt }

// Excerpt is a part of a line, of which a part changes.
type Excerpt struct {
	Text     string
	From, To int  // the bytes of Text that change
	CutLeft  bool // the line continues to the left of Text
	CutRight bool // the line continues to the right of Text
}

// Of returns what the fix of a finding changes in its record, as far as the line
// in the finding shows it. It reports false if that is not all.
func Of(f *lint.Finding) (Change, bool) {
	if f.Fix == nil || len(f.Fix.Edits) == 0 {
		return Change{}, false
	}
	switch edit := &f.Fix.Edits[0]; {
	case edit.Change == fix.ReplaceBytes:
		return previewBytes(&f.Place, f.Fix.Edits)
	case len(f.Fix.Edits) > 1:
		return Change{}, false
	case edit.Change == fix.AddBefore, edit.Change == fix.AddAfter:
		return Change{After: Excerpt{Text: edit.Text, To: len(edit.Text)}}, true
	case edit.Change == fix.RemoveRecord && edit.Span.Start.Offset == f.Place.Span.Start.Offset:
		e := &f.Place.Excerpt
		return Change{Before: Excerpt{e.Text, 0, len(e.Text), e.CutLeft, e.CutRight}}, e.Text != ""
	}
	return Change{}, false
}

// previewBytes applies changes of bytes to the excerpt of a place.
func previewBytes(place *source.Place, edits []lint.Edit) (Change, bool) {
	e, line := &place.Excerpt, place.Span.Start.Line
	var after strings.Builder
	at, first, last := 0, 0, 0 // in e.Text
	firstAfter := 0
	for i := range edits {
		span := &edits[i].Span
		if edits[i].Change != fix.ReplaceBytes || span.Start.Line != line || span.End.Line != line || strings.Contains(edits[i].Text, "\n") {
			return Change{}, false
		}
		from, ok := byteAt(e.Text, span.Start.Column-e.Column)
		to, also := byteAt(e.Text, span.End.Column-e.Column)
		if !ok || !also || from < at || to < from {
			return Change{}, false
		}
		after.WriteString(e.Text[at:from])
		if i == 0 {
			first, firstAfter = from, after.Len()
		}
		after.WriteString(edits[i].Text)
		at, last = to, to
	}
	lastAfter := after.Len()
	after.WriteString(e.Text[at:])
	return Change{
		Before: Excerpt{e.Text, first, last, e.CutLeft, e.CutRight},
		After:  Excerpt{after.String(), firstAfter, lastAfter, e.CutLeft, e.CutRight},
	}, true
}

// byteAt returns where the code point with a number starts, from 0. The number of
// code points is the end.
func byteAt(text string, n int) (int, bool) {
	if n < 0 {
		return 0, false
	}
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		if size == 0 {
			return 0, false
		}
		at += size
	}
	return at, true
}
