//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWatchChecksWhatChanges(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "sub", "bad.jsonl")
	appendTo(t, good, goodLine+endLine)
	p := start(t, "watch", "--isolated", "--format", "concise", "--dialect", "interpreter", dir)
	assert.Contains(t, p.line(t), "LMC207", "an empty message")

	// A file in a new directory.
	require.NoError(t, os.Mkdir(filepath.Dir(bad), 0o755))
	appendTo(t, bad, goodLine+badLine+endLine)
	assert.True(t, strings.HasPrefix(p.line(t), bad+":2:10: error: unknown role"))

	// A second mistake: the file is checked as a whole, and no other.
	appendTo(t, bad, goodLine+badLine+endLine)
	assert.True(t, strings.HasPrefix(p.line(t), bad+":2:10: error: unknown role"))
	assert.True(t, strings.HasPrefix(p.line(t), bad+":5:10: error: unknown role"))

	require.NoError(t, os.Remove(bad))
	appendTo(t, good, badLine)
	assert.Contains(t, p.line(t), good)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	_, status := p.end(t)
	assert.Equal(t, exitFindings, status)
	assert.Contains(t, p.stderr.String(), "Watching for changes: 1 warning in 1 file (2 records). Ctrl-C ends.\n")
	assert.Contains(t, p.stderr.String(), "Watching for changes: 2 errors, 1 warning in 2 of 2 files (8 records). Ctrl-C ends.\n")
}

func TestWatchChecksAllAgainWhenTheConfigurationChanges(t *testing.T) {
	dir := t.TempDir()
	file, config := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, ".lmclint.yaml")
	appendTo(t, file, goodLine+badLine+endLine)
	appendTo(t, config, "dialect: interpreter\nseverity: {LMC102: note}\n")
	p := start(t, "watch", "--format", "concise", dir)
	assert.Contains(t, p.line(t), ": note: unknown role")
	require.NoError(t, os.WriteFile(config, []byte("dialect: ["), 0o644)) // a moment of an editor
	require.NoError(t, os.WriteFile(config, []byte("dialect: interpreter\nseverity: {LMC102: warning}\n"), 0o644))
	assert.Contains(t, p.line(t), ": warning: unknown role")
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	_, status := p.end(t)
	assert.Equal(t, exitClean, status)
}

func TestWatchCountsWithoutAFileThatIsGone(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "bad.jsonl")
	appendTo(t, good, goodLine+endLine)
	appendTo(t, bad, goodLine+badLine+endLine)
	p := exec.Command(name, "watch", "--isolated", "--dialect", "interpreter", dir)
	stderr, err := p.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, p.Start())
	defer time.AfterFunc(patience, func() { _ = p.Process.Kill() }).Stop()
	lines := bufio.NewScanner(stderr)
	total := func() string {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "Watching for changes: ") {
				return lines.Text()
			}
		}
		return ""
	}
	assert.Contains(t, total(), "1 error, 1 warning in 2 of 2 files")
	require.NoError(t, os.Remove(bad))
	assert.Equal(t, "Watching for changes: 1 warning in 1 file (2 records). Ctrl-C ends.", total())
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	require.NoError(t, p.Wait(), "no errors are left")
}
