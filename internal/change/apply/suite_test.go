package apply_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// keptAsPython are cases in which LMC009 remains although check offers its fix: a
// broken record in a list of Python literals prevents it, or rulers, which
// JSON Lines cannot have; a truncated record does until an unsafe fix removes it.
var keptAsPython = []string{"lmc001_pprint_without_comma.txt", "lmc005_python_in_string.txt", "lmc009_broken_records.jsonl", "lmc009_rulers.txt"}

// mustNotAdd fails the test if a fixed text has more findings of a rule than the
// original, unless fewer are more severe. Both are checked as lmclint check does.
func mustNotAdd(t *testing.T, linter *lint.Linter, name string, before, after []byte, unsafe bool) {
	t.Helper()
	had, have := lintText(t, linter, name, string(before)), lintText(t, linter, name, string(after))
	ids := func(findings []lint.Finding) map[string]int {
		count := map[string]int{}
		for _, f := range findings {
			count[f.Rule.ID]++
		}
		return count
	}
	hadIDs := ids(had)
	for id, count := range ids(have) {
		if count > hadIDs[id] {
			severity := have[slices.IndexFunc(have, func(f lint.Finding) bool { return f.Rule.ID == id })].Severity
			moreSevere := func(found []lint.Finding) []int { // by severity, the most severe first
				counts := make([]int, lint.SeverityError+1)
				for _, f := range found {
					if f.Severity > severity {
						counts[lint.SeverityError-f.Severity]++
					}
				}
				return counts
			}
			hasLess := slices.Compare(moreSevere(have), moreSevere(had)) < 0
			assert.True(t, hasLess, "fix adds %s to %s, unsafe %v", id, name, unsafe)
		}
	}
}

// After the fixes of a case of the suite, a check finds nothing that has a safe
// fix, no fix is left that could be made, and fixing again changes nothing.
func TestTheSuiteIsFixed(t *testing.T) {
	var files []string
	require.NoError(t, filepath.WalkDir("../../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasSuffix(path, ".expect.json") {
			files = append(files, path)
		}
		return err
	}))
	config := lint.WithConfig(lint.Config{AllowEmpty: true})
	fixing, checking := linttest.MustNew(rules.All(), config, lint.WithFixes()), linttest.MustNew(rules.All(), config)
	fixed := 0
	for _, path := range exhaustive.Sample(files, 150) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		_, content, err := apply.Read(bytes.NewReader(raw))
		if err != nil {
			continue // an archive, or text that is not UTF-8
		}
		for _, unsafe := range []bool{false, true} {
			r, err := apply.Text(context.Background(), apply.Linters{Fixing: fixing}, path, content.Text, unsafe)
			var unknown *lint.UnknownInputError
			if errors.As(err, &unknown) || errors.Is(err, apply.ErrFramed) {
				break
			}
			require.NoError(t, err, path)
			if r.Changed() {
				fixed++
				mustNotAdd(t, checking, path, content.Text, r.Text, unsafe)
			}
			again, err := apply.Text(context.Background(), apply.Linters{Fixing: fixing}, path, r.Text, unsafe)
			require.NoError(t, err, path)
			assert.False(t, again.Changed(), "%s is fixed twice", path)
			for i := range r.Left {
				if f := &r.Left[i]; f.Fix != nil && (f.Fix.Safe || unsafe) && len(f.Fix.Edits) > 0 {
					assert.Contains(t, r.Why, f.Fix, "%s: %s is left", path, f.Rule.ID)
				}
			}
			for f, err := range checking.Lint(context.Background(), path, bytes.NewReader(r.Text)) {
				require.NoError(t, err, path)
				kept := f.Rule.ID == "LMC009" && slices.Contains(keptAsPython, filepath.Base(path))
				kept = kept || slices.ContainsFunc(again.Left, func(o apply.Left) bool { return o.Rule == f.Rule && again.Why[o.Fix] != "" })
				assert.False(t, f.Fix != nil && f.Fix.Safe && !kept, "%s: %s has a safe fix", path, f.Rule.ID)
			}
		}
	}
	assert.Greater(t, fixed, 20)
}
