package timeline

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// A finding may be about a record that was read long before, and its neighbors
// are shown, too. The last records are kept until it is known that no finding is
// about them, as far as the limit allows; those that a finding is about are kept
// for good. What is about an older record shows the excerpt in the finding.

// remember keeps the start of a record.
func (c *conversation) remember(rec *source.Record) {
	head := rec.Data[:min(len(rec.Data), excerptBytes)]
	e := &Excerpt{
		Record: rec.Index, Line: rec.Start.Line, Column: rec.Start.Column, Offset: rec.Start.Offset,
		Text: string(head), Bytes: len(rec.Data), Size: len(head), Decoded: rec.IsDecoded(),
	}
	if rec.Index <= c.keepTo && c.reported {
		c.keep(e)
	}
	c.recent = append(c.recent, e)
	if c.recentBytes += e.Size; c.recentBytes > maxRecentBytes { // the oldest go
		old := len(c.recent) / 4
		for _, e := range c.recent[:old] {
			c.recentBytes -= e.Size
		}
		c.recent = slices.Delete(c.recent, 0, old)
	}
}

// Reported implements [plugin.ConversationObserver]. It keeps the records at the places
// of a finding, and those next to the first place.
func (c *conversation) Reported(places []source.Place) {
	for i, p := range places {
		from, to := p.Record, p.Record
		if from < 0 {
			continue
		}
		if i == 0 {
			from, to = from-neighbors, to+neighbors
			c.keepTo = max(c.keepTo, to)
		}
		at, _ := slices.BinarySearchFunc(c.recent, from, compareRecord)
		for ; at < len(c.recent) && c.recent[at].Record <= to; at++ {
			c.keep(c.recent[at])
		}
	}
	c.reported = true
}

// keep keeps an excerpt for good, unless there are too many.
func (c *conversation) keep(e *Excerpt) {
	r := c.recorder
	at, found := slices.BinarySearchFunc(c.view.Excerpts, e.Record, compareRecord)
	if found || r.excerpts >= maxExcerpts || r.excerptsBytes >= maxExcerptsBytes {
		return
	}
	r.excerpts++
	r.excerptsBytes += e.Size
	c.view.Excerpts = slices.Insert(c.view.Excerpts, at, e)
}

// compareRecord orders an excerpt and the number of a record.
func compareRecord(e *Excerpt, record int) int { return cmp.Compare(e.Record, record) }

// Valid returns the text as valid UTF-8 without an incomplete character at its
// end.
func (e *Excerpt) Valid() string {
	text := e.Text
	if e.Size < e.Bytes {
		text = text[:value.PartialRune([]byte(text))]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// Mark returns the part of the text that a span of the input is, in UTF-16 code
// units of [Excerpt.Valid], as JavaScript counts. It reports false if the span
// does not begin in the text.
func (e *Excerpt) Mark(span source.Span) (from, to int, ok bool) {
	start, end := span.Start.Offset-e.Offset, span.End.Offset-e.Offset
	if e.Decoded || start < 0 || start > int64(e.Size) || start == int64(e.Size) && e.Size < e.Bytes {
		return 0, 0, false
	}
	end = min(max(start, end), int64(e.Size))
	from, to = utf16Length(e.Text[:start]), utf16Length(e.Text[:end])
	return from, min(to, utf16Length(e.Valid())), true
}

// utf16Length returns how many UTF-16 code units a text has as valid UTF-8.
func utf16Length(text string) int {
	return len(utf16.Encode([]rune(strings.ToValidUTF8(text, "\uFFFD"))))
}
