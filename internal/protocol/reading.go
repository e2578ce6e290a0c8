package protocol

import (
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Events about reading, which every protocol's session emits. They have the
// highest bits, so that they are the same beside the events of any protocol.
const (
	ProblemEvent   lint.Mask = 1 << (63 - iota) // *problem: the reader could not read something
	NoRecordsEvent                              // nil: the input holds no record
)

// problem is what the reader met in a record or between records.
type Problem struct {
	source.Problem
	Record *source.Record
}

// onProblem answers one kind of the reader's problems.
func OnProblem(kind source.ProblemKind, do func(*Problem)) lint.Hook {
	return lint.Hook{On: ProblemEvent, Do: func(event any) {
		if p := event.(*Problem); p.Kind == kind {
			do(p)
		}
	}}
}
