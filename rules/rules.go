package rules

import (
	"slices"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/agreement"
	"github.com/lmclint/lmclint/rules/content"
	"github.com/lmclint/lmclint/rules/execution"
	"github.com/lmclint/lmclint/rules/framing"
	"github.com/lmclint/lmclint/rules/input"
	"github.com/lmclint/lmclint/rules/session"
	"github.com/lmclint/lmclint/rules/shape"
	"github.com/lmclint/lmclint/rules/transcript"
	"github.com/lmclint/lmclint/rules/workbench"
)

// All returns every rule, in the order of their ids.
func All() []*lint.Rule {
	return slices.Concat(
		input.Rules(),
		shape.Rules(),
		framing.Rules(),
		execution.Rules(),
		content.Rules(),
		transcript.Rules(),
		session.Rules(),
		agreement.Rules(),
		workbench.Rules(),
	)
}
