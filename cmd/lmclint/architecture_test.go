package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The functions that docs/architecture.md names exist in their packages.
func TestArchitectureNamesExist(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	step := regexp.MustCompile("(?m)^\\| \\d+ \\| (?:`([a-z0-9/]+)`)? *\\| `([A-Za-z.]+)` \\|")
	directory, steps := "", 0
	for _, m := range step.FindAllStringSubmatch(string(text), -1) {
		if m[1] != "" {
			directory = m[1] // an empty cell means the package above
		}
		steps++
		receiver, method, found := strings.Cut(m[2], ".")
		require.True(t, found, m[2])
		declared := regexp.MustCompile(`(?m)^func \(\w* ?\*?` + receiver + `\) ` + method + `\(|^type ` + receiver + ` interface`)
		files, err := filepath.Glob(directory + "/*.go")
		require.NoError(t, err)
		exists := false
		for _, file := range files {
			code, err := os.ReadFile(file)
			require.NoError(t, err)
			exists = exists || declared.Match(code)
		}
		assert.True(t, exists, "%s has no %s", directory, m[2])
	}
	assert.Greater(t, steps, 15)
}

// docs/architecture.md lists every folder of code. For each one under internal there is a
// list of what it may import, and its package comment names its packages.
func TestFoldersAreDescribed(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	lists, err := os.ReadFile(".golangci.yml")
	require.NoError(t, err)
	folders, err := filepath.Glob("internal/*")
	require.NoError(t, err)
	for _, folder := range append(folders, "cmd/lmclint", "cmd/lmclint-wasm", "config", "lint", "report", "rules", "schema") {
		folder = filepath.ToSlash(folder)
		assert.Regexp(t, `(?m)^`+folder+` `, string(page), "docs/architecture.md does not list %s", folder)
	}
	for _, folder := range folders {
		assert.Contains(t, string(lists), "${config-path}/"+filepath.ToSlash(folder)+"/**", "of .golangci.yml")
		comment, err := os.ReadFile(folder + "/doc.go")
		require.NoError(t, err)
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, entry := range entries {
			name := entry.Name()
			if !entry.IsDir() || name == "testdata" {
				continue
			}
			assert.Regexp(t, `\b`+name+`\b`, string(comment), "%s/doc.go does not name package %s", folder, name)
		}
	}
}
