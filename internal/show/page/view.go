package page

import (
	"cmp"
	"slices"
	"unicode/utf16"

	"github.com/lmclint/lmclint/internal/show/preview"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// recordingView is the view of an input.
type recordingView struct {
	LeftOut  int                `json:"leftOut"`
	NotDrawn int                `json:"notDrawn"`
	Views    []conversationView `json:"views"`
}

type conversationView struct {
	*timeline.Conversation
	Excerpts []rawExcerpt `json:"excerpts"`
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

func viewOf(r *timeline.Recording) *recordingView {
	view := &recordingView{r.LeftOut, r.NotDrawn, []conversationView{}}
	for _, c := range r.Conversations {
		v := conversationView{c, []rawExcerpt{}}
		for _, e := range c.Excerpts {
			v.Excerpts = append(v.Excerpts, rawExcerpt{e.Record, e.Lane, e.Line, e.Column, e.Offset, e.Valid(), e.Bytes - e.Size, e.Decoded})
		}
		view.Views = append(view.Views, v)
	}
	return view
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
