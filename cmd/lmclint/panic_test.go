package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/cmd/lmclint/internal/progress"
	"github.com/lmclint/lmclint/cmd/lmclint/internal/walk"
	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

// A mistake of ours in one rule must not pass for a clean input, nor keep the
// other inputs from being checked.
func TestAPanicIsTrouble(t *testing.T) {
	broken := &lint.Rule{
		ID: "LMC999", Name: "broken", Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
		New: func(*lint.Pass) []lint.Hook {
			return []lint.Hook{{On: ^plugin.Mask(0), Do: func(any) { panic("out of order") }}}
		},
	}
	var out, stderr bytes.Buffer
	c := &Command{Stdout: &out, Stderr: &stderr}
	o := defineCheckFlags(pflag.NewFlagSet("check", pflag.ContinueOnError))
	require.NoError(t, o.format.Set("json"))
	report, err := c.openOutputs(o, o.format.list, &progress.Line{})
	require.NoError(t, err)
	inputs := walk.Expand([]string{file(t, "a.json"), file(t, "b.json")})
	alike := &plan{linter: linttest.MustNew([]*lint.Rule{broken}), failOn: lint.SeverityError}
	run := newCheckRun(c, o, inputs, []*plan{alike, alike}, report, newWatch(time.Now(), inputs, &progress.Line{}))
	run.details = c.details(false)
	require.NoError(t, run.all(t.Context()))
	assert.Equal(t, statusError(exitTrouble), run.conclude(t.Context()))
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
