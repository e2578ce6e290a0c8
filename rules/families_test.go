package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/rules"
)

func TestEveryRuleIsOfOneFamily(t *testing.T) {
	of := map[string]int{}
	for _, f := range rules.Catalogue().Families {
		found := rules.Catalogue().Select(f.Name)
		assert.NotEmpty(t, found, f.Name)
		for _, r := range found {
			of[r.ID]++
		}
	}
	for _, r := range rules.All() {
		assert.Equal(t, 1, of[r.ID], r.ID)
	}
}

// A word that is both a family and a rule would be read as the rule.
func TestFamiliesAreNoRules(t *testing.T) {
	for _, r := range rules.All() {
		for _, f := range rules.Families() {
			assert.NotEqual(t, f.Name, r.Name)
		}
	}
}
