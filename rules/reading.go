package rules

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Events about reading, which every protocol's session emits. They have the
// highest bits, so that they are the same beside the events of any protocol.
const (
	problemMet lint.Mask = 1 << (63 - iota) // *problem: the reader could not read something
	nothingMet                              // nil: the input holds no record
)

// problem is what the reader met in a record or between records.
type problem struct {
	source.Problem
	record *source.Record
}

// onProblem answers one kind of the reader's problems.
func onProblem(kind source.ProblemKind, do func(*problem)) lint.Hook {
	return lint.Hook{On: problemMet, Do: func(event any) {
		if p := event.(*problem); p.Kind == kind {
			do(p)
		}
	}}
}
