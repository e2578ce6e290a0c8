package embedded

import (
	"bytes"
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/input"
	"github.com/lmclint/lmclint/internal/source/value"
)

// strays counts the lines of a log that hold no record.
type skippedLines struct {
	lines int
	head  []byte         // of the first of them
	start value.Position // of head
}

// remember keeps the beginning of a line that may be the first stray one.
func (s *skippedLines) remember(in *input.Input) {
	head := in.Load(2 * source.ExcerptWidth)
	s.head = bytes.Clone(value.TrimRight(head[:value.PartialRune(head)]))
	s.start = in.Pos
}

// see keeps the beginning of a line that was read and may be the first stray one.
func (s *skippedLines) see(r *source.Record) {
	if s.lines > 0 {
		return
	}
	head := r.Data[:min(len(r.Data), 2*source.ExcerptWidth)]
	s.head = bytes.Clone(head[:value.PartialRune(head)])
	s.start = r.Start
}

func (s *skippedLines) add() { s.lines++ }

// problem tells of all of them, at the first.
func (s *skippedLines) problem() source.Problem {
	r := source.Record{Data: s.head, Start: s.start, IsGap: true}
	found := fmt.Sprintf("%d lines hold no record, this is the first of them", s.lines)
	if s.lines == 1 {
		found = "this line holds no record"
	}
	return source.Problem{Kind: source.StrayLines, Place: r.Place(), Detail: found}
}
