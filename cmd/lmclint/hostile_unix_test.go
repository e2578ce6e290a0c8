//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

// A tree may lead back to itself, and contain what is not a file.
func TestHostileTree(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "deep")
	require.NoError(t, os.Mkdir(deep, 0o755))
	require.NoError(t, os.Symlink("..", filepath.Join(deep, "up")))
	require.NoError(t, os.Symlink("itself.jsonl", filepath.Join(root, "itself.jsonl")))
	require.NoError(t, os.Symlink("nowhere", filepath.Join(root, "dangling.jsonl")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe.jsonl"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(deep, "good.jsonl"), []byte(confirmedRun), 0o600))

	var stdout, stderr bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
	assert.Equal(t, exitClean, c.Main([]string{"check", root}), stderr.String())
	assert.Regexp(t, `^no findings in 1 file \(11 records\); 2 symbolic links not followed \(.*/dangling.jsonl, .*/itself.jsonl\)\n$`, stderr.String())

	stderr.Reset()
	assert.Equal(t, exitTrouble, c.Main([]string{"check", filepath.Join(root, "itself.jsonl"), filepath.Join(deep, "good.jsonl")}))
	assert.Contains(t, stderr.String(), "too many levels of symbolic links")
	assert.Contains(t, stderr.String(), "(11 records)")
}

// No name of a file, and no text of a record, reaches a report so that it
// moves a terminal's cursor or forges a line.
func TestHostileNamesAndTexts(t *testing.T) {
	const forged = "forged.jsonl:1:1: error: nothing"
	root := t.TempDir()
	name := filepath.Join(root, "a\n"+forged+"\x1b[2J\u202e%0A]]>.jsonl")
	text := `{"role": "assistant\n` + forged + `\u001b[2J", "type": "message]]>\u202e", "content": 5, "` + "\u2066\u009b" + `<b>": 1}` + "\n"
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	for _, format := range report.Formats() {
		t.Run(string(format), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			c := Command{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
			require.Equal(t, exitFindings, c.Main([]string{"check", "--kind", "stream", "--format", string(format), name}))
			for line := range strings.Lines(stdout.String() + stderr.String()) {
				assert.False(t, strings.HasPrefix(line, forged), line)
				assert.NotContains(t, line, "\x1b")
				assert.NotContains(t, line, "\u009b")
				assert.NotContains(t, line, "\u202e")
				assert.NotContains(t, line, "\u2066")
			}
		})
	}
}
