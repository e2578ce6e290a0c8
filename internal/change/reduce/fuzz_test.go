package reduce_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/reduce"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Reducing never panics. What is left is a part of the text, with the findings.
func FuzzText(f *testing.F) {
	for _, pattern := range []string{"core/bad/lmc1*.jsonl", "core/bad/lmc2*.jsonl", "forms/bad/*.har", "forms/bad/*.ipynb", "forms/bad/*.sse", "forms/bad/lmc001*", "workbench/bad/wb10*"} {
		paths, err := filepath.Glob(filepath.Join("../../../testdata", pattern))
		require.NoError(f, err)
		require.NotEmpty(f, paths, pattern)
		for _, path := range paths[:min(len(paths), 8)] {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(text) < 1<<12 {
				f.Add(filepath.Ext(path), string(text))
			}
		}
	}
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{AllowEmpty: true}))
	f.Fuzz(func(t *testing.T, extension, text string) {
		o := options("fuzz" + extension)
		o.MaxRuns = 30
		r, err := reduce.Text(t.Context(), o, []byte(text))
		if err != nil {
			return // nothing is found in it, or it is of no protocol
		}
		require.True(t, isPartOf(r.Text, []byte(text)), "%q becomes %q", text, r.Text)
		found := causesOf(t, linter, o.Name, r.Text)
		for _, kept := range r.Kept {
			require.Contains(t, found[kept.Rule.ID], kept.Cause, "%q becomes %q", text, r.Text)
		}
	})
}
