package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In a new checkout, which has no manifest, a run writes it and the texts of the
// grammar of JSON.
func TestSuiteInANewCheckout(t *testing.T) {
	checkout := t.TempDir()
	const input = "testdata/core/bad/lmc204_end_twice.jsonl"
	for _, file := range []string{"docs/protocol.md", "docs/workbench.md", "testdata/VERSION", input, input + ".expect.json"} {
		text, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		copied := filepath.Join(checkout, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(copied), 0o755))
		require.NoError(t, os.WriteFile(copied, text, 0o644))
	}
	suite := filepath.Join(checkout, "testdata")
	status, list := run("suite", "run", "--suite", suite, "--list")
	assert.Equal(t, 0, status)
	assert.Contains(t, list, "core/bad/lmc204_end_twice.jsonl  must")
	assert.FileExists(t, filepath.Join(suite, "json", "array-open.json"))

	require.NoError(t, os.Remove(filepath.Join(suite, "manifest.json")))
	require.NoError(t, os.Remove(filepath.Join(checkout, "docs", "workbench.md")))
	status, _ = run("suite", "run", "--suite", suite, "--list")
	assert.Equal(t, 2, status)
}
