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

// Lines of a stream with the role misspelled in the second one.
const (
	goodLine = `{"role": "assistant", "type": "message", "start": true}` + "\n"
	badLine  = `{"role": "asistant", "type": "message", "content": "Hello"}` + "\n"
	endLine  = `{"role": "assistant", "type": "message", "end": true}` + "\n"
)

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	require.NoError(t, err)
	_, err = file.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// replace writes a file as many editors save it: it is never there with a part of its text.
func replace(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path+".tmp", []byte(text), 0o644))
	require.NoError(t, os.Rename(path+".tmp", path))
}

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
	second := p.line(t)
	assert.True(t, strings.HasPrefix(second, bad+":2:10: error: unknown role"))
	assert.Contains(t, second, "1 more, line 5")

	require.NoError(t, os.Remove(bad))
	appendTo(t, good, badLine)
	assert.Contains(t, p.line(t), good)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	_, status := p.end(t)
	assert.Equal(t, exitFindings, status)
	assert.Contains(t, p.stderr.String(), "Watching for changes: 1 warning in 1 file (2 records). Ctrl-C ends.\n")
	assert.Contains(t, p.stderr.String(), "Watching for changes: 1 error (2 places), 1 warning in 2 of 2 files (8 records). Ctrl-C ends.\n")
}

func TestWatchChecksAllAgainWhenTheConfigurationChanges(t *testing.T) {
	dir := t.TempDir()
	file, config := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, ".lmclint.yaml")
	appendTo(t, file, goodLine+badLine+endLine)
	appendTo(t, config, "dialect: interpreter\nseverity: {LMC102: note}\n")
	p := start(t, "watch", "--format", "concise", dir)
	assert.Contains(t, p.line(t), ": note: unknown role")
	replace(t, config, "dialect: [") // a moment of an editor
	replace(t, config, "dialect: interpreter\nseverity: {LMC102: warning}\n")
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

// Whatever decides how files are checked is watched, also what is only created
// later; and a file by the link that was named.
func TestWatchNoticesWhatDecides(t *testing.T) {
	const stored = `[{"role": "assistant", "type": "message", "content": "Hi"}]`
	for name, test := range map[string]struct {
		args   []string
		before func(t *testing.T, dir string)
		change func(t *testing.T, dir string)
		want   string // of the second check
	}{
		"new configuration": {
			args: []string{"rec"},
			change: func(t *testing.T, dir string) {
				replace(t, filepath.Join(dir, "rec", ".lmclint.yaml"), "severity: {LMC102: note}")
			},
			want: ": note: unknown role",
		},
		"new configuration above": {
			args: []string{"rec"},
			change: func(t *testing.T, dir string) {
				replace(t, filepath.Join(dir, ".lmclint.yaml"), "severity: {LMC102: note}")
			},
			want: ": note: unknown role",
		},
		"named configuration": {
			args:   []string{"--config", "c.yaml", "rec"},
			before: func(t *testing.T, dir string) { replace(t, filepath.Join(dir, "c.yaml"), "ignore: [LMC301]") },
			change: func(t *testing.T, dir string) { replace(t, filepath.Join(dir, "c.yaml"), "severity: {LMC102: note}") },
			want:   ": note: unknown role",
		},
		"extended configuration": {
			args: []string{"rec"},
			before: func(t *testing.T, dir string) {
				replace(t, filepath.Join(dir, "base.yaml"), "ignore: [LMC301]")
				replace(t, filepath.Join(dir, ".lmclint.yaml"), "extends: base.yaml")
			},
			change: func(t *testing.T, dir string) {
				replace(t, filepath.Join(dir, "base.yaml"), "severity: {LMC102: note}")
			},
			want: ": note: unknown role",
		},
		"stored conversation": {
			args:   []string{"--against", "m.json", "rec/a.jsonl"},
			before: func(t *testing.T, dir string) { replace(t, filepath.Join(dir, "m.json"), stored) },
			change: func(t *testing.T, dir string) {
				replace(t, filepath.Join(dir, "m.json"), strings.Replace(stored, "Hi", "Hello there", 1))
			},
			want: ": error: unknown role",
		},
		"link": {
			args:   []string{"link"},
			before: func(t *testing.T, dir string) { require.NoError(t, os.Symlink("rec", filepath.Join(dir, "link"))) },
			change: func(t *testing.T, dir string) {
				appendTo(t, filepath.Join(dir, "rec", "a.jsonl"), goodLine+badLine+endLine)
			},
			want: ": error: unknown role",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "rec"), 0o755))
			appendTo(t, filepath.Join(dir, "rec", "a.jsonl"), goodLine+badLine+endLine)
			if test.before != nil {
				test.before(t, dir)
			}
			p := startIn(t, dir, append([]string{"watch", "--format", "concise", "--select", "LMC102", "--dialect", "interpreter"}, test.args...)...)
			assert.Contains(t, p.line(t), ": error: unknown role")
			time.Sleep(100 * time.Millisecond) // until it waits for changes
			test.change(t, dir)
			assert.Contains(t, p.line(t), test.want)
			require.NoError(t, p.Process.Signal(syscall.SIGINT))
			_, _ = p.end(t)
		})
	}
}

// watch does not check the file in the watched directory that it prints to, and a
// text that is not a recording changes nothing.
func TestWatchIsQuiet(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, filepath.Join(dir, "a.jsonl"), goodLine+badLine+endLine)
	log, err := os.Create(filepath.Join(dir, "watch.log"))
	require.NoError(t, err)
	p := exec.Command(name, "watch", "--isolated", "--dialect", "interpreter", ".")
	p.Dir, p.Stdout, p.Stderr = dir, log, log
	require.NoError(t, p.Start())
	defer time.AfterFunc(patience, func() { _ = p.Process.Kill() }).Stop()
	printed := func() string {
		text, err := os.ReadFile(log.Name())
		require.NoError(t, err)
		return string(text)
	}
	require.Eventually(t, func() bool { return strings.Count(printed(), "Watching for changes") == 1 }, patience, 10*time.Millisecond)
	notes := filepath.Join(t.TempDir(), "notes.txt")
	appendTo(t, notes, "my notes\n")
	require.NoError(t, os.Rename(notes, filepath.Join(dir, "notes.txt"))) // one event
	require.Eventually(t, func() bool { return strings.Count(printed(), "Watching for changes") == 2 }, patience, 10*time.Millisecond)
	time.Sleep(time.Second)
	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	_ = p.Wait()
	assert.Equal(t, 2, strings.Count(printed(), ": checking"))
	assert.NotContains(t, printed(), "no LMC or Semantic Workbench files")
}
