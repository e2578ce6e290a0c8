package apply_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// fixer returns the linter that fixes an example.
func fixer(t *testing.T, e lint.Example) *lint.Linter {
	t.Helper()
	config, err := protocol.ExampleConfig(e)
	require.NoError(t, err)
	return linttest.MustNew(rules.All(), lint.WithConfig(config), lint.WithFixes())
}

func mend(t *testing.T, linter *lint.Linter, text string, unsafe bool) *apply.Result {
	t.Helper()
	r, err := apply.Text(context.Background(), apply.Linters{Fixing: linter}, "example", []byte(text), unsafe)
	require.NoError(t, err, "%s", text)
	return r
}

// ids returns the rules of findings, as often as they were found.
func ids(left []apply.Left) map[string]int {
	count := map[string]int{}
	for _, f := range left {
		count[f.Rule.ID]++
	}
	return count
}

// The bad examples of a rule show each kind of fix that it declares. A fixed
// example has neither the finding nor a new one, and fixing it again changes
// nothing.
func TestExamplesAreFixed(t *testing.T) {
	for _, rule := range rules.All() {
		t.Run(rule.ID, func(t *testing.T) {
			shown := lint.Fixes(0)
			for _, e := range rule.Bad {
				linter := fixer(t, e)
				for _, kind := range []struct {
					fixes  lint.Fixes
					unsafe bool
				}{{lint.SafeFixes, false}, {lint.UnsafeFixes, true}} {
					before := mend(t, linter, e.Text(), kind.unsafe)
					if before.Fixed[rule] == 0 {
						continue
					}
					if !kind.unsafe || mend(t, linter, e.Text(), false).Fixed[rule] < before.Fixed[rule] {
						shown |= kind.fixes
					}
					assert.Zero(t, ids(before.Left)[rule.ID], "%q is fixed: %s", e.Name, before.Text)
					mustNotAdd(t, linter, "example", []byte(e.Text()), before.Text, kind.unsafe)
					assert.False(t, mend(t, linter, string(before.Text), kind.unsafe).Changed(), "%q is fixed twice", e.Name)
				}
			}
			assert.Equal(t, rule.Fixes.String(), shown.String(), "the examples show the fixes")
			for _, e := range rule.Good {
				assert.False(t, mend(t, fixer(t, e), e.Text(), true).Changed(), "good example %q", e.Name)
			}
		})
	}
}

func lintText(t *testing.T, linter *lint.Linter, name, text string) []lint.Finding {
	t.Helper()
	var found []lint.Finding
	for f, err := range linter.Lint(context.Background(), name, strings.NewReader(text)) {
		require.NoError(t, err)
		found = append(found, f)
	}
	return found
}
