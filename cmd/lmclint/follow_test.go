//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lines of a stream with the role misspelled in the second one.
const (
	goodLine = `{"role": "assistant", "type": "message", "start": true}` + "\n"
	badLine  = `{"role": "asistant", "type": "message", "content": "Hello"}` + "\n"
	badAgain = `{"role": "asistent", "type": "message", "content": "Hello"}` + "\n"
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

func TestFollowReportsWhatIsAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stream.jsonl")
	p := start(t, "--isolated", "--follow", "--format", "concise", "--dialect", "interpreter", path)
	appendTo(t, path, goodLine+badLine)
	assert.True(t, strings.HasPrefix(p.line(t), path+":2:10: error: unknown role"), "the file was absent first")
	appendTo(t, path, badAgain)
	assert.True(t, strings.HasPrefix(p.line(t), path+":3:10: error: unknown role"))

	require.NoError(t, os.Rename(path, path+".1"))
	appendTo(t, path, endLine+goodLine+badLine)
	assert.True(t, strings.HasPrefix(p.line(t), path+":3:10: error: unknown role"), "lines are those of the new file")

	require.NoError(t, p.Process.Signal(syscall.SIGINT))
	rest, status := p.end(t)
	assert.Empty(t, rest, "the file may continue: the open block has no finding")
	assert.Equal(t, exitFindings, status)
	assert.Contains(t, p.stderr.String(), "the file was replaced; following its new content\n")
	assert.Contains(t, p.stderr.String(), "3 errors in 1 file (6 records)\n")
	assert.NotContains(t, p.stderr.String(), "interrupted")
}
