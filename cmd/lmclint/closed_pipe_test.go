package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAReaderThatLeavesDoesNotChangeTheStatus(t *testing.T) {
	dir := t.TempDir()
	const turn = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	whole, stopped := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "stopped.jsonl")
	require.NoError(t, os.WriteFile(whole, []byte(turn), 0o600))
	require.NoError(t, os.WriteFile(stopped, []byte(strings.ReplaceAll(turn, `"end"`, `"stop"`)), 0o600))
	for _, args := range [][]string{{"check", stopped}, {"diff", whole, stopped}, {"fix", "--diff", stopped}} {
		var stderr bytes.Buffer
		c := Command{Stdout: closedPipe{}, Stderr: &stderr}
		assert.Equal(t, exitFindings, c.Main(args), "%v: %s", args, &stderr)
	}
}
