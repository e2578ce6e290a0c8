package rules

import "github.com/lmclint/lmclint/lint"

// All returns every rule, in the order of their ids.
func All() []*lint.Rule {
	return []*lint.Rule{
		unclosedBlock,
	}
}
