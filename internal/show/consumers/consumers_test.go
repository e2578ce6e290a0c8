package consumers_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/show/consumers"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Each result is about a rule and consumers that exist, and no consumer has two for a
// rule.
func TestTable(t *testing.T) {
	table := consumers.Load()
	catalog := rules.Catalog()
	seen := map[string]bool{}
	for _, r := range table.Results {
		assert.NotNil(t, catalog.Rule(r.Rule), r.Rule)
		assert.NotEmpty(t, r.Consumers, r.Rule)
		for _, name := range r.Consumers {
			assert.Contains(t, table.Names(), name, r.Rule)
			assert.False(t, seen[r.Rule+name], "two results for %s of %s", name, r.Rule)
			seen[r.Rule+name] = true
		}
		assert.Contains(t, []string{"crashes", "loses", "hangs", "shows wrongly", "nothing"}, r.Outcome)
		assert.True(t, r.What != "" || r.Outcome == "nothing", "%s: what happens?", r.Rule)
	}
	assert.True(t, slices.IsSortedFunc(table.Results, func(a, b consumers.Result) int {
		if a.Rule < b.Rule {
			return -1
		}
		return min(1, len(a.Rule)-len(b.Rule))
	}))
	for _, c := range table.Consumers {
		assert.NotEmpty(t, c.What, c.Name)
		assert.NotEmpty(t, c.Versions, c.Name)
		assert.NotEmpty(t, c.Run, c.Name)
	}
}

func TestSeverities(t *testing.T) {
	table := consumers.Load()
	catalog := rules.Catalog()
	for _, c := range []struct {
		rule  string
		names []string
		want  lint.Severity
		known bool
	}{
		{"LMC209", []string{"terminal"}, lint.SeverityError, true},
		{"LMC209", []string{"core"}, 0, true},
		{"LMC209", []string{"core", "terminal"}, lint.SeverityError, true},
		{"LMC209", []string{"core", "server"}, 0, false}, // the server may mind
		{"LMC209", []string{"terminal", "server"}, lint.SeverityError, true},
		{"LMC306", []string{"terminal"}, lint.SeverityWarning, true},
		{"LMC607", []string{"server"}, lint.SeverityError, true},
		{"LMC607", []string{"terminal"}, 0, false},
		{"WB001", []string{"terminal"}, 0, false},
	} {
		severity, known := table.Severities(rules.All(), c.names)[catalog.Rule(c.rule)]
		assert.Equal(t, c.want, severity, c)
		assert.Equal(t, c.known, known, c)
	}
	require.Nil(t, table.Result("LMC607", "terminal"))
}
