package rules_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
	"github.com/lmclint/lmclint/source"
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
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := foundInJSON(t, text)
		assert.Equal(t, found, foundInJSON(t, text, lint.WithoutSkimming()), file)
		unread := slices.ContainsFunc(found, func(id string) bool { return slices.Contains(notJSON, id) })
		switch name := filepath.Base(file); name[0] {
		case 'y':
			assert.False(t, unread, "%s is JSON: %v", name, found)
		case 'n':
			assert.True(t, unread || slices.Contains(found, "LMC011"), "%s is no JSON: %v", name, found)
		}
	}
}

// foundInJSON lints one JSON text and returns the ids of the rules that found
// something, in order.
func foundInJSON(t *testing.T, text []byte, options ...lint.Option) []string {
	t.Helper()
	options = append(options, lint.WithSource(source.Options{Form: source.FormJSON}), lint.WithConfig(lint.Config{Kind: "transcript"}))
	var ids []string
	for f, err := range lint.New(rules.All(), options...).Lint(context.Background(), "case", bytes.NewReader(text)) {
		require.NoError(t, err)
		ids = append(ids, f.Rule.ID)
	}
	return ids
}
