package rules

import (
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

// family is a group of rules whose ids have a prefix in common.
type family struct {
	lint.Family
	rules func() []*lint.Rule
}

// families lists the families in the order of their ids.
func families() []family {
	return []family{
		{lint.Family{Name: "input", Prefix: "LMC0"}, input.Rules},
		{lint.Family{Name: "shape", Prefix: "LMC1"}, shape.Rules},
		{lint.Family{Name: "framing", Prefix: "LMC2"}, framing.Rules},
		{lint.Family{Name: "execution", Prefix: "LMC3"}, execution.Rules},
		{lint.Family{Name: "content", Prefix: "LMC4"}, content.Rules},
		{lint.Family{Name: "transcript", Prefix: "LMC5"}, transcript.Rules},
		{lint.Family{Name: "session", Prefix: "LMC6"}, session.Rules},
		{lint.Family{Name: "agreement", Prefix: "LMC7"}, agreement.Rules},
		{lint.Family{Name: "wb", Prefix: "WB"}, workbench.Rules},
	}
}

// All returns every rule, in the order of the ids.
func All() []*lint.Rule { return Catalog().Rules }

// Catalog returns the rules and families that a configuration or a command
// line can select.
func Catalog() lint.Catalog {
	var c lint.Catalog
	for _, f := range families() {
		c.Families = append(c.Families, f.Family)
		c.Rules = append(c.Rules, f.rules()...)
	}
	return c
}
