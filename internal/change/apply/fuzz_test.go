package apply_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Fixing never panics and never ends in an error of its own, what it returns is
// as readable as before, and fixing that changes nothing.
func FuzzText(f *testing.F) {
	for _, pattern := range []string{"*/bad/lmc1*.jsonl", "*/bad/lmc2*", "*/bad/lmc4*.json", "*/bad/lmc5*.json", "*/bad/lmc009*", "*/bad/wb0*"} {
		paths, err := filepath.Glob(filepath.Join("../../../testdata", pattern))
		require.NoError(f, err)
		require.NotEmpty(f, paths, pattern)
		for _, path := range paths {
			if filepath.Ext(path) == ".json" && filepath.Ext(path[:len(path)-len(".json")]) == ".expect" {
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			if len(text) < 1<<13 {
				f.Add(string(text), true)
				f.Add(string(text), false)
			}
		}
	}
	linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{AllowEmpty: true}), lint.WithFixes())
	f.Fuzz(func(t *testing.T, text string, unsafe bool) {
		once, err := apply.Text(context.Background(), apply.Linters{Fixing: linter}, "fuzz", []byte(text), unsafe)
		var unknown *lint.UnknownInputError
		if errors.As(err, &unknown) || errors.Is(err, apply.ErrBinary) || errors.Is(err, apply.ErrFramed) {
			return
		}
		require.NoError(t, err)
		again, err := apply.Text(context.Background(), apply.Linters{Fixing: linter}, "fuzz", once.Text, unsafe)
		require.NoError(t, err)
		require.False(t, again.Changed(), "%q becomes %q, and then %q", text, once.Text, again.Text)
	})
}
