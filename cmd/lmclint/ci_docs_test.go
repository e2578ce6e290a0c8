package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The recipes of docs/ci.md find what a branch adds, in a repository with a base branch.
func TestRecipesForBranches(t *testing.T) {
	for _, program := range []string{"git", "bash", name} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	page, err := os.ReadFile("../../docs/ci.md")
	require.NoError(t, err)
	recipe := func(which string) string {
		_, rest, found := strings.Cut(string(page), "<!-- recipe: "+which+" -->\n```text\n")
		require.True(t, found)
		commands, _, _ := strings.Cut(rest, "```")
		return commands
	}
	folder := t.TempDir()
	sh := func(commands string) (string, error) {
		c := exec.Command("bash", "-c", commands)
		c.Dir = folder
		c.Env = append(os.Environ(), "BASE=main", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	write := func(file, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "recordings", file), []byte(text), 0o600))
	}
	must := func(commands string) {
		out, err := sh(commands)
		require.NoError(t, err, out)
	}
	const user, helper = `{"role": "user", "type": "message", "content": "Hi"}` + "\n", `{"role": "helper", "type": "message", "content": "Hi"}` + "\n"
	must("git init --quiet --initial-branch=main . && mkdir recordings")
	write("old.jsonl", user+helper)
	must("git add . && git commit --quiet -m old && git checkout --quiet -b branch")

	out, err := sh(recipe("new"))
	require.NoError(t, err, out)
	assert.Contains(t, out, "suppressed")
	out, err = sh(recipe("changed"))
	require.NoError(t, err, out)
	assert.Empty(t, out)

	write("old.jsonl", user+user+helper+helper)
	write("new name.jsonl", user+helper)
	must("git add recordings && git commit --quiet -m new")
	out, err = sh(recipe("new"))
	require.Error(t, err)
	assert.Contains(t, out, "new name.jsonl:2:10")
	assert.NotContains(t, out, "old.jsonl:")
	out, err = sh(recipe("changed"))
	require.Error(t, err)
	assert.Contains(t, out, "new name.jsonl:2:10")
	assert.Contains(t, out, "old.jsonl:3:10")
}
