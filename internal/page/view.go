package page

import (
	"cmp"
	"slices"
	"unicode/utf16"

	"github.com/lmclint/lmclint/internal/ink"
	"github.com/lmclint/lmclint/internal/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/timeline"
	"github.com/lmclint/lmclint/lint"
)

// recordingView is the view of an input. Bars and marks are columns, which is short
// and quick to read.
type recordingView struct {
	LeftOut  int                `json:"leftOut"`
	NotDrawn int                `json:"notDrawn"`
	Views    []conversationView `json:"views"`
}

type conversationView struct {
	*timeline.Conversation
	Bars     barColumns   `json:"bars"`
	Kinds    [][3]string  `json:"kinds"`
	Marks    markColumns  `json:"marks"`
	Excerpts []rawExcerpt `json:"excerpts"`
}

// barColumns are the bars. The role, type and format of a bar are an index in Kinds.
type barColumns struct {
	Lane    []int   `json:"lane"`
	First   []int   `json:"first"`
	Last    []int   `json:"last"`
	State   []int   `json:"state"`
	Kind    []int   `json:"kind"`
	Start   []int64 `json:"start,omitzero"`
	End     []int64 `json:"end,omitzero"`
	Content []any   `json:"content"`
}

type markColumns struct {
	Lane   []int    `json:"lane"`
	Record []int    `json:"record"`
	Code   []int    `json:"code"`
	Time   []int64  `json:"time,omitzero"`
	Kind   []string `json:"kind"`
	Label  []string `json:"label"`
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

// column returns a value of each element, never nil.
func column[E, V any](list []E, of func(E) V) []V {
	values := make([]V, len(list))
	for i, e := range list {
		values[i] = of(e)
	}
	return values
}

func viewOfConversation(c *timeline.Conversation) conversationView {
	type (
		bar  = *timeline.Bar
		mark = *timeline.Mark
	)
	kinds, numbers := [][3]string{}, map[[3]string]int{}
	kindOf := func(b bar) int {
		k := [3]string{word(b.Role), word(b.Type), word(b.Format)}
		n, ok := numbers[k]
		if !ok {
			n = len(kinds)
			numbers[k] = n
			kinds = append(kinds, k)
		}
		return n
	}
	v := conversationView{
		Conversation: c,
		Bars: barColumns{
			Lane:    column(c.Bars, func(b bar) int { return b.Lane }),
			First:   column(c.Bars, func(b bar) int { return b.First }),
			Last:    column(c.Bars, func(b bar) int { return b.Last }),
			State:   column(c.Bars, func(b bar) int { return int(b.State) }),
			Kind:    column(c.Bars, kindOf),
			Content: column(c.Bars, contentOf),
		},
		Marks: markColumns{
			Lane:   column(c.Marks, func(m mark) int { return m.Lane }),
			Record: column(c.Marks, func(m mark) int { return m.Record }),
			Code:   column(c.Marks, func(m mark) int { return m.Code }),
			Kind:   column(c.Marks, func(m mark) string { return m.Kind.String() }),
			Label:  column(c.Marks, func(m mark) string { return m.Label }),
		},
		Excerpts: column(c.Excerpts, func(e *timeline.Excerpt) rawExcerpt {
			return rawExcerpt{e.Record, e.Lane, e.Line, e.Column, e.Offset, e.Valid(), e.Bytes - e.Size, e.Decoded}
		}),
	}
	v.Kinds = kinds
	if c.Timed {
		v.Bars.Start, v.Bars.End = column(c.Bars, func(b bar) int64 { return b.Start }), column(c.Bars, func(b bar) int64 { return b.End })
		v.Marks.Time = column(c.Marks, func(m mark) int64 { return m.Time })
	}
	return v
}

// word shortens a role, type or format, which may be any text of the input.
func word(text string) string { return ink.Shorten(text, 60) }

// contentOf returns what a message says: 0 for nothing, a text, or all of the content if
// it is more than a short text.
func contentOf(b *timeline.Bar) any {
	switch c := b.Content; {
	case c == nil:
		return 0
	case c.Omitted == 0 && c.Image == "" && c.Binary == 0:
		return c.Head
	}
	return b.Content
}

// markOf returns the place in the excerpt of its record that the view has, nil if
// it is not there.
func markOf(c *timeline.Conversation, p *source.Place) []int {
	i, ok := slices.BinarySearchFunc(c.Excerpts, p.Record, func(e *timeline.Excerpt, n int) int { return cmp.Compare(e.Record, n) })
	if ok {
		if from, to, ok := c.Excerpts[i].Mark(p.Span); ok {
			return []int{from, to}
		}
	}
	return nil
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
