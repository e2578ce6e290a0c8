package source

import (
	"bytes"
	"fmt"

	"github.com/lmclint/lmclint/internal/source/value"
)

// strays counts the lines of a log that hold no record.
type skippedLines struct {
	lines int
	head  []byte         // of the first of them
	start value.Position // of head
}

// remember keeps the beginning of a line that may be the first stray one.
func (s *skippedLines) remember(in *input) {
	head := in.load(2 * excerptWidth)
	s.head = bytes.Clone(value.TrimRight(head[:value.PartialRune(head)]))
	s.start = in.pos
}

// see keeps the beginning of a line that was read and may be the first stray one.
func (s *skippedLines) see(r *Record) {
	if s.lines > 0 {
		return
	}
	head := r.Data[:min(len(r.Data), 2*excerptWidth)]
	s.head = bytes.Clone(head[:value.PartialRune(head)])
	s.start = r.Start
}

func (s *skippedLines) add() { s.lines++ }

// problem tells of all of them, at the first.
func (s *skippedLines) problem() Problem {
	r := Record{Data: s.head, Start: s.start, IsGap: true}
	found := fmt.Sprintf("%d lines hold no record, this is the first of them", s.lines)
	if s.lines == 1 {
		found = "this line holds no record"
	}
	return Problem{Kind: StrayLines, Place: r.Place(), Detail: found}
}
