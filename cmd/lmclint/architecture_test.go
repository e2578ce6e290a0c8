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

// The packages that docs/architecture.md lists exist, and it lists all of them.
func TestArchitectureListsPackages(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(text), "## Packages")
	list, _, _ = strings.Cut(list, "\n## ")
	for _, pattern := range []string{"config", "report", "rules", "lint", "schema", "internal/*", "internal/source/*"} {
		directories, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, directory := range directories {
			code, err := filepath.Glob(directory + "/*.go")
			require.NoError(t, err)
			if len(code) > 0 {
				isListed := strings.Contains(list, "`"+filepath.ToSlash(directory)+"`")
				assert.True(t, isListed, "%s is not listed", directory)
			}
		}
	}
}
