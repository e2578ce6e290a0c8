package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answer is what is printed for one line of input, and at its end.
type answer struct {
	findings []string // rule and line
	judged   judgment
	ended    bool // it is that of the end
}

// readAnswer reads up to a judgment, or the summary.
func readAnswer(lines *bufio.Scanner) (a answer, err error) {
	for lines.Scan() {
		var line struct {
			Rule    string
			Line    int
			Judged  *int
			Summary *struct{}
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return a, err
		}
		switch {
		case line.Judged != nil:
			a.judged = judgment{*line.Judged}
			return a, nil
		case line.Summary != nil:
			a.ended = true
			return a, nil
		}
		a.findings = append(a.findings, line.Rule)
	}
	return a, errors.Join(lines.Err(), io.ErrUnexpectedEOF)
}

// A line is acknowledged once, however the lines arrive.
func TestAcknowledgeHoweverItArrives(t *testing.T) {
	const text = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistent", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
	path := filepath.Join(t.TempDir(), "stream.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	inputs := map[string]io.Reader{"a file": file}
	for name, arrive := range arrivals {
		inputs[name] = arrive(text)
	}
	for name, input := range inputs {
		var out strings.Builder
		c := Command{Stdin: input, Stdout: &out, Stderr: io.Discard}
		assert.Equal(t, exitFindings, c.Main([]string{"check", "--isolated", "--quiet", "--kind", "stream", "--format", "jsonl", "--acknowledge", "-"}), name)
		var got []string
		for line := range strings.Lines(out.String()) {
			got = append(got, strings.Trim(line, "{\"")[:6])
		}
		assert.Equal(t, []string{"judged", "rule\":", "judged", "judged", "summar"}, got, "%s: %s", name, out.String())
	}
}

// Each line gets its answer before the next one is written, with the findings that it
// decides; also one shorter than the signature of an archive.
func TestAcknowledgeKeepsNothingBack(t *testing.T) {
	input, feed := io.Pipe()
	out, output := io.Pipe()
	go func() {
		c := Command{Stdin: input, Stdout: output, Stderr: io.Discard}
		c.Main([]string{"check", "--isolated", "--quiet", "--format", "jsonl", "--acknowledge", "--protocol", "lmc", "--kind", "stream", "-"})
		_ = output.Close()
	}()
	answers := bufio.NewScanner(out)
	for n, line := range []struct{ text, rule string }{
		{"1", "LMC004"},
		{"{}", "LMC101"},
		{`{"role": "user", "type": "message", "start": true}`, ""},
		{`{"role": "user", "type": "message", "content": "Hi"}`, ""},
		{`{"role": "user", "type": "message", "start": true}`, "LMC202"},
	} {
		_, err := io.WriteString(feed, line.text+"\n")
		require.NoError(t, err)
		a, err := readAnswer(answers)
		require.NoError(t, err)
		require.Equal(t, n+1, a.judged.Judged)
		assert.Equal(t, line.rule, strings.Join(a.findings, " "))
	}
	require.NoError(t, feed.Close())
	last, err := readAnswer(answers)
	require.NoError(t, err)
	assert.True(t, last.ended)
}
