package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/bench/internal/sample"
)

const (
	chunkSchema      = "../../schema/interpreter/chunk.schema.json"
	transcriptSchema = "../../schema/interpreter/transcript.schema.json"
)

// checked writes a file and checks it.
func checked(t *testing.T, schema, name string, write func(io.Writer) error) (found int, report string) {
	t.Helper()
	var data, out bytes.Buffer
	require.NoError(t, write(&data))
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data.Bytes(), 0o600))
	found, err := check(&out, schema, []string{path})
	require.NoError(t, err)
	return found, out.String()
}

func lines(s ...string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(s, "\n"))
		return err
	}
}

func TestHealthyData(t *testing.T) {
	found, report := checked(t, chunkSchema, "s.jsonl", func(w io.Writer) error {
		return sample.WriteStream(w, sample.Stream{Chunks: 3_000})
	})
	assert.Zero(t, found, report)
	found, report = checked(t, transcriptSchema, "t.json", func(w io.Writer) error { return sample.WriteTranscript(w, 1) })
	assert.Zero(t, found, report)
}

func TestEveryWrongRecordIsFound(t *testing.T) {
	found, report := checked(t, chunkSchema, "s.jsonl", func(w io.Writer) error {
		return sample.WriteStream(w, sample.Stream{Chunks: 500, Wrong: sample.Different})
	})
	assert.Equal(t, 500, found)
	assert.Equal(t, 500, strings.Count(report, "\n"))
}

func TestFraming(t *testing.T) {
	const (
		start   = `{"role": "assistant", "type": "message", "start": true}`
		content = `{"role": "assistant", "type": "message", "content": "Hi"}`
		end     = `{"role": "assistant", "type": "message", "end": true}`
		console = `{"role": "computer", "type": "console", "end": true}`
		confirm = `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "r", "content": "1"}}`
	)
	for name, stream := range map[string][]string{
		"content outside":     {content},
		"start in a block":    {start, start, end},
		"another end":         {start, content, console},
		"confirmation inside": {start, confirm, end},
		"no JSON":             {start, content, end, "{"},
	} {
		t.Run(name, func(t *testing.T) {
			found, report := checked(t, chunkSchema, "s.jsonl", lines(stream...))
			assert.Equal(t, 1, found, report)
		})
	}
}
