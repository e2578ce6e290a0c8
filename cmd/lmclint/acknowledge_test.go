package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
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

// Each line gets its answer before the next one is written, with the findings
// that a run gives that has read as far.
func TestAcknowledge(t *testing.T) {
	for _, rule := range rules.All() {
		for _, e := range exhaustive.Sample(slices.Concat(rule.Bad, rule.Good), 1) {
			if e.Make != nil || e.MaxDepth != 0 || e.Against != "" || e.Protocol == "workbench" || !isLines(e.Text()) {
				continue
			}
			t.Run(rule.ID+" "+e.Name, func(t *testing.T) { checkAcknowledged(t, &e) })
		}
	}
}

func isLines(text string) bool {
	if !strings.HasSuffix(text, "\n") || strings.Contains(text, "\ufeff") {
		return false
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			return false
		}
	}
	return true
}

func checkAcknowledged(t *testing.T, e *lint.Example) {
	config, err := protocol.ExampleConfig(*e)
	require.NoError(t, err)
	if e.Kind == "" {
		detecting := linttest.MustNew(rules.All(), lint.WithConfig(config))
		result, err := detecting.Run(t.Context(), "-", strings.NewReader(e.Text()), func(lint.Finding) error { return nil })
		require.NoError(t, err)
		e.Kind = result.Kind
	}
	e.Protocol = "lmc"
	config.Protocol, config.Kind, config.Form = "lmc", e.Kind, "jsonl"
	if e.Kind == "session" {
		config.Form = "session-log"
	}
	config.Immediate = true
	linter := linttest.MustNew(rules.All(), lint.WithConfig(config))

	input, feed := io.Pipe()
	out, output := io.Pipe()
	args := append([]string{"check", "--isolated", "--quiet", "--format", "jsonl", "--acknowledge"}, flagsOf(t, e)...)
	go func() {
		c := Command{Stdin: input, Stdout: output, Stderr: io.Discard}
		c.Main(append(args, "-"))
		_ = output.Close()
	}()
	answers := bufio.NewScanner(out)
	answers.Buffer(nil, 1<<24)
	text := ""
	var all []string
	for n, line := range slices.Collect(strings.Lines(e.Text())) {
		_, err := io.WriteString(feed, line)
		require.NoError(t, err)
		a, err := readAnswer(answers)
		require.NoError(t, err)
		require.Equal(t, n+1, a.judged.Judged)
		text += line
		all = append(all, a.findings...)
		require.Equal(t, foundBy(linter, text), all, "line %d", n+1)
	}
	require.NoError(t, feed.Close())
	last, err := readAnswer(answers)
	require.NoError(t, err)
	assert.True(t, last.ended)
}

// foundBy returns the rules of the findings in a text that goes on.
func foundBy(linter *lint.Linter, text string) (found []string) {
	more := errors.New("there is more to come")
	_, _ = linter.Run(context.Background(), "-", io.MultiReader(strings.NewReader(text), failing{more}), func(f lint.Finding) error {
		found = append(found, f.Rule.ID)
		return nil
	})
	return found
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

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

// An input without a byte is not compressed.
func TestAcknowledgeNothing(t *testing.T) {
	var out, report strings.Builder
	c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &report}
	assert.Equal(t, exitTrouble, c.Main([]string{"check", "--isolated", "--kind", "stream", "--format", "jsonl", "--acknowledge", "-"}))
	assert.Contains(t, out.String(), "LMC011")
	assert.NotContains(t, report.String(), "compressed")
}

// A line shorter than the signature of an archive is judged before more is written.
func TestAShortFirstLineIsAcknowledged(t *testing.T) {
	input, feed := io.Pipe()
	out, output := io.Pipe()
	go func() {
		c := Command{Stdin: input, Stdout: output, Stderr: io.Discard}
		c.Main([]string{"check", "--isolated", "--quiet", "--format", "jsonl", "--acknowledge", "--protocol", "lmc", "--kind", "stream", "-"})
		_ = output.Close()
	}()
	answers := bufio.NewScanner(out)
	for n, line := range []string{"1\n", "{}\n"} {
		_, err := io.WriteString(feed, line)
		require.NoError(t, err)
		a, err := readAnswer(answers)
		require.NoError(t, err)
		require.Equal(t, n+1, a.judged.Judged)
	}
	require.NoError(t, feed.Close())
	last, err := readAnswer(answers)
	require.NoError(t, err)
	assert.True(t, last.ended)
}
