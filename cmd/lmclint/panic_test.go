package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// A panic in a rule is an internal error of its input; the other inputs are
// checked.
func TestPanicInARuleKeepsTheOtherInputs(t *testing.T) {
	faulty := &lint.Rule{
		ID: "LMC999", Name: "broken", Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
		New: func(*lint.Pass) []lint.Hook {
			return []lint.Hook{{On: ^plugin.Mask(0), Do: func(any) { panic("out of order") }}}
		},
	}
	var out, stderr bytes.Buffer
	c := &Command{Stdout: &out, Stderr: &stderr}
	o := defineCheckFlags(pflag.NewFlagSet("check", pflag.ContinueOnError))
	require.NoError(t, o.format.Set("json"))
	reports, err := c.openOutputs(t.Context(), o, o.format.list, &progress.Line{})
	require.NoError(t, err)
	inputs := walk.Expand([]string{file(t, "a.json"), file(t, "b.json")}, nil)
	alike := &plan{linter: linttest.MustNew([]*lint.Rule{faulty}), failOn: lint.SeverityError}
	run := newCheckRun(c, o, inputs, []*plan{alike, alike}, reports)
	assert.Equal(t, statusError(exitTrouble), run.report(t.Context()))
	assert.Contains(t, stderr.String(), "a.json: internal error in rule LMC999: out of order\n")
	assert.Contains(t, stderr.String(), "b.json: internal error in rule LMC999: out of order\n")
	assert.Contains(t, stderr.String(), "panic_test.go", "the stack, for a bug report")
	assert.Contains(t, out.String(), `"failure":"internal error in rule LMC999: out of order"`)
}

// file makes a transcript of that name.
func file(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(`[{"role": "user", "type": "message", "content": "Hi"}]`), 0o600))
	return path
}

// broken panics when it is read or written.
type broken struct{}

func (broken) Read([]byte) (int, error)  { panic("out of order") }
func (broken) Write([]byte) (int, error) { panic("out of order") }

func TestPanicInAReportKeepsTheOtherReports(t *testing.T) {
	dir := t.TempDir()
	input, output := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "out.json")
	require.NoError(t, os.WriteFile(input, []byte(unclosed), 0o600))
	var stderr bytes.Buffer
	c := Command{Stdout: broken{}, Stderr: &stderr}
	assert.Equal(t, exitTrouble, c.Main([]string{"--format", "jsonl", "--format", "json:" + output, input}))
	assert.Contains(t, stderr.String(), "lmclint: report: internal error: out of order\n")
	text, err := os.ReadFile(output)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"rule":"LMC202"`)
}

func TestPanicInAnInputKeepsTheOtherFindings(t *testing.T) {
	input := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(input, []byte(unclosed), 0o600))
	var stdout, stderr bytes.Buffer
	c := Command{Stdin: broken{}, Stdout: &stdout, Stderr: &stderr}
	assert.Equal(t, exitTrouble, c.Main([]string{"-", input}))
	assert.Contains(t, stderr.String(), ": internal error: out of order\n")
	assert.Contains(t, stdout.String(), "LMC202")
}

func TestPanicInACommandIsAnInternalError(t *testing.T) {
	var stderr bytes.Buffer
	c := Command{Stdout: broken{}, Stderr: &stderr}
	assert.Equal(t, exitTrouble, c.Main([]string{"version"}))
	assert.Contains(t, stderr.String(), "lmclint: internal error: out of order\n")
}

// faultyReporter panics at each finding.
type faultyReporter struct{ report.Reporter }

func (faultyReporter) Finding(lint.Finding) error { panic("out of order") }

// A report that lacks findings may look complete, so it must not replace the
// file.
func TestPanicInAReportKeepsItsOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.json")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	c := Command{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
	o := defineCheckFlags(pflag.NewFlagSet("check", pflag.ContinueOnError))
	outs, err := c.openOutputs(t.Context(), o, []target{{format: report.FormatJSON, file: path}}, &progress.Line{})
	require.NoError(t, err)
	outs.all[0].reporter = faultyReporter{outs.all[0].reporter}
	require.NoError(t, outs.Finding(lint.Finding{}))
	require.NoError(t, outs.End(report.Summary{}))
	require.NoError(t, outs.close())
	require.NotNil(t, outs.panicked)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, files, 1, "no temporary file is left")
}
