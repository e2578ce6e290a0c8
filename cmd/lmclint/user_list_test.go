package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The list of what users ask for names tests that there are.
func TestUserWishesHaveTests(t *testing.T) {
	list, err := os.ReadFile("testdata/script/README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^\| (\d+) \|.*\| (.*) \|$`).FindAllStringSubmatch(string(list), -1)
	require.Len(t, rows, 32)
	functions := testFunctions(t)
	for i, row := range rows {
		assert.Equal(t, fmt.Sprint(i+1), row[1])
		tests := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1)
		assert.NotEmpty(t, tests, row[0])
		for _, test := range tests {
			switch what := test[1]; {
			case strings.HasPrefix(what, "Test"):
				assert.True(t, functions[what], "no test function %s", what)
			case strings.HasSuffix(what, "/"):
				assert.DirExists(t, "../../"+what)
			case strings.HasSuffix(what, ".md"):
				assert.FileExists(t, "../../"+what)
			default:
				assert.FileExists(t, "testdata/script/"+what+".txtar")
			}
		}
	}
}

// testFunctions are the names of all test functions of the module.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
			names[match[1]] = true
		}
		return err
	}))
	return names
}
