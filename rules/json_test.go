package rules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// notJSON are the rules one of which must find what is no JSON text.
var notJSON = []string{"LMC001", "LMC002", "LMC005", "LMC010"}

// TestJSON gives the cases of JSONTestSuite to the whole linter: what is JSON
// is read, whatever else is found in it, and what is none is not; with the
// shortcuts and without, the findings are the same.
func TestJSON(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(suite, "json", "test_parsing", "*.json"))
	require.NoError(t, err)
	require.Greater(t, len(files), 300)
	options := []lint.Option{lint.WithConfig(lint.Config{Form: "json", Kind: "transcript"})}
	fast, slow := linttest.MustNew(rules.All(), options...), linttest.MustNew(rules.All(), append(options, lint.WithoutFastPath())...)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, everything(slow, bytes.NewReader(text)), everything(fast, bytes.NewReader(text)), file)
		var found []string
		for _, f := range lintAll(t, fast, file, text) {
			found = append(found, f.Rule.ID)
		}
		unread := slices.ContainsFunc(found, func(id string) bool { return slices.Contains(notJSON, id) })
		switch name := filepath.Base(file); name[0] {
		case 'y':
			assert.False(t, unread, "%s is JSON: %v", name, found)
		case 'n':
			assert.True(t, unread || slices.Contains(found, "LMC011"), "%s is no JSON: %v", name, found)
		}
	}
}
