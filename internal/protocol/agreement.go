package protocol

import (
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/lint"
)

// onDisagreement answers the disagreements with a stored conversation from one
// reason to another.
func OnDifference(from, to agreement.Reason, do func(*agreement.Difference)) lint.Hook {
	return lint.Hook{On: differenceEvent, Do: func(event any) {
		if d := event.(*agreement.Difference); from <= d.Reason && d.Reason <= to {
			do(d)
		}
	}}
}
