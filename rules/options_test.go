package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// lint.New returns an error for a wrong option, not the first input, also for a
// value that cannot be compared.
func TestWrongOptionsAreErrors(t *testing.T) {
	for want, config := range map[string]lint.Config{
		"the vocabulary is a map[string]int":           {Vocabulary: map[string]int{"type": 1}},
		"invalid conversation to compare with: []int":  {Against: []int{1}},
		"invalid conversation to compare with: func()": {Against: func() {}, Protocol: "lmc"},
		`unknown dialect "interpeter"`:                 {Dialect: "interpeter"},
		`unknown dialect "server": Semantic Workbench`: {Dialect: "server", Protocol: "workbench"},
		`unknown kind of input "letter"`:               {Kind: "letter"},
		`unknown protocol "smtp"`:                      {Protocol: "smtp"},
		"limit -2 is negative":                         {MaxDepth: -2},
	} {
		linter, err := lint.New(rules.All(), lint.WithConfig(config))
		require.ErrorContains(t, err, want)
		assert.Nil(t, linter)
	}
}
