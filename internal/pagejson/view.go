package pagejson

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf16"

	"github.com/lmclint/lmclint/internal/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/timeline"
	"github.com/lmclint/lmclint/lint"
)

// appendRecording appends the view of an input as members of its object. Bars
// and marks are columns, which is short and quick to read.
func appendRecording(b []byte, r *timeline.Recording) []byte {
	d := &buffer{text: b}
	d.raw(`,"leftOut":`)
	d.value(r.LeftOut)
	d.raw(`,"condensed":`)
	d.value(r.Condensed)
	d.raw(`,"views":[`)
	for i, c := range r.Conversations {
		d.separate(i)
		d.conversation(c)
	}
	d.raw("]")
	return d.text
}

func (d *buffer) conversation(c *timeline.Conversation) {
	d.raw(`{"number":`)
	d.value(c.Number)
	d.raw(`,"protocol":`)
	d.value(c.Protocol)
	d.raw(`,"kind":`)
	d.value(c.Kind)
	d.raw(`,"dialect":`)
	d.value(c.Dialect)
	d.raw(`,"records":`)
	d.value(c.Records)
	d.raw(`,"timed":`)
	d.value(c.Timed)
	d.raw(`,"lanes":`)
	d.value(c.Lanes)
	d.bars(c)
	d.marks(c)
	d.raw(`,"excerpts":[`)
	for i, e := range c.Excerpts {
		d.separate(i)
		d.value(rawExcerpt{e.Record, e.Lane, e.Line, e.Column, e.Offset, e.Valid(), e.Bytes - e.Size, e.Decoded})
	}
	d.raw("]}")
}

// rawExcerpt is the start of a record.
type rawExcerpt struct {
	Record  int    `json:"record"`
	Lane    int    `json:"lane"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Offset  int64  `json:"offset"`
	Text    string `json:"text"`
	Omitted int    `json:"omitted"`
	Decoded bool   `json:"decoded,omitempty"`
}

// bars writes the bars as columns. The role, type and format of a bar are an
// index in kinds.
func (d *buffer) bars(c *timeline.Conversation) {
	type kind [3]string
	var kinds []kind
	numbers := map[kind]int{}
	d.column(`,"bars":{"lane"`, len(c.Bars), func(i int) int64 { return int64(c.Bars[i].Lane) })
	d.column(`,"first"`, len(c.Bars), func(i int) int64 { return int64(c.Bars[i].First) })
	d.column(`,"last"`, len(c.Bars), func(i int) int64 { return int64(c.Bars[i].Last) })
	d.column(`,"state"`, len(c.Bars), func(i int) int64 { return int64(c.Bars[i].State) })
	d.column(`,"blocks"`, len(c.Bars), func(i int) int64 { return int64(c.Bars[i].Blocks) })
	d.column(`,"kind"`, len(c.Bars), func(i int) int64 {
		k := kind{word(c.Bars[i].Role), word(c.Bars[i].Type), word(c.Bars[i].Format)}
		n, ok := numbers[k]
		if !ok {
			n = len(kinds)
			numbers[k] = n
			kinds = append(kinds, k)
		}
		return int64(n)
	})
	if c.Timed {
		d.column(`,"start"`, len(c.Bars), func(i int) int64 { return c.Bars[i].Start })
		d.column(`,"end"`, len(c.Bars), func(i int) int64 { return c.Bars[i].End })
	}
	d.raw(`,"content":[`)
	for i, b := range c.Bars {
		d.separate(i)
		d.content(b.Content)
	}
	d.raw(`]},"kinds":`)
	if kinds == nil {
		kinds = []kind{}
	}
	d.value(kinds)
}

// maxWord is how long a role, type or format is at most in the document.
const maxWord = 60

// word shortens a role, type or format, which may be any text of the input.
func word(text string) string {
	if runes := []rune(text); len(runes) > maxWord {
		return string(runes[:maxWord]) + "…"
	}
	return text
}

// content writes what a message says: 0 for nothing, a text, or an object.
func (d *buffer) content(c *timeline.Content) {
	switch {
	case c == nil:
		d.raw("0")
	case c.Omitted == 0 && c.Image == "" && c.Binary == 0:
		d.value(c.Head)
	default:
		d.value(struct {
			Head      string `json:"head,omitempty"`
			Tail      string `json:"tail,omitempty"`
			Omitted   int64  `json:"omitted,omitempty"`
			Image     string `json:"image,omitempty"`
			MediaType string `json:"mediaType,omitempty"`
			Binary    int64  `json:"binary,omitempty"`
		}{c.Head, c.Tail, c.Omitted, c.Image, c.MediaType, c.Binary})
	}
}

// marks writes the marks as columns.
func (d *buffer) marks(c *timeline.Conversation) {
	d.column(`,"marks":{"lane"`, len(c.Marks), func(i int) int64 { return int64(c.Marks[i].Lane) })
	d.column(`,"record"`, len(c.Marks), func(i int) int64 { return int64(c.Marks[i].Record) })
	d.column(`,"code"`, len(c.Marks), func(i int) int64 { return int64(c.Marks[i].Code) })
	d.column(`,"repeats"`, len(c.Marks), func(i int) int64 { return int64(c.Marks[i].Repeats) })
	if c.Timed {
		d.column(`,"time"`, len(c.Marks), func(i int) int64 { return c.Marks[i].Time })
	}
	d.raw(`,"kind":[`)
	for i, m := range c.Marks {
		d.separate(i)
		d.value(m.Kind.String())
	}
	d.raw(`],"label":[`)
	for i, m := range c.Marks {
		d.separate(i)
		d.value(m.Label)
	}
	d.raw("]}")
}

// column writes a member that is an array of numbers. The name comes with what
// precedes it.
func (d *buffer) column(name string, n int, at func(int) int64) {
	d.raw(name + ":[")
	for i := range n {
		d.separate(i)
		d.text = strconv.AppendInt(d.text, at(i), 10)
	}
	d.raw("]")
}

// markOf returns the place in the excerpt of its record that the view has, nil if
// it is not there.
func markOf(c *timeline.Conversation, p *source.Place) []int {
	i, ok := slices.BinarySearchFunc(c.Excerpts, p.Record, func(e *timeline.Excerpt, n int) int { return cmp.Compare(e.Record, n) })
	if !ok {
		return nil
	}
	from, to, ok := c.Excerpts[i].Mark(p.Span)
	if !ok {
		return nil
	}
	return []int{from, to}
}

// excerptOf returns the line around a place, nil if there is none.
func excerptOf(p *source.Place) *excerpt {
	e := &p.Excerpt
	if e.Text == "" {
		return nil
	}
	from := max(0, p.Span.Start.Column-e.Column)
	to := max(from, p.Span.End.Column-e.Column)
	if p.Span.End.Line != p.Span.Start.Line {
		to = len(e.Text)
	}
	runes := []rune(e.Text)
	units := func(n int) int { return len(utf16.Encode(runes[:min(n, len(runes))])) }
	return &excerpt{e.Text, [2]int{units(from), units(to)}, e.CutLeft, e.CutRight}
}

// changeOf returns what the fix of a finding changes, nil if that is not known.
func changeOf(f *lint.Finding) *change {
	c, ok := preview.Of(f)
	if !ok {
		return nil
	}
	side := func(e *preview.Excerpt) *excerpt {
		if e.Text == "" {
			return nil
		}
		units := func(n int) int { return len(utf16.Encode([]rune(e.Text[:n]))) }
		return &excerpt{e.Text, [2]int{units(e.From), units(e.To)}, e.CutLeft, e.CutRight}
	}
	return &change{side(&c.Before), side(&c.After)}
}
