package rules_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Once the linter says that an input is decided up to an offset, no rule has a
// finding before it: a rule that reports at an earlier record holds that back.
func TestNothingIsReportedBeforeWhatIsDecided(t *testing.T) {
	for _, folder := range caseFolders {
		t.Run(folder, func(t *testing.T) {
			for _, input := range exhaustive.Sample(cases(t, folder), 100) {
				text, err := os.ReadFile(input)
				require.NoError(t, err)
				if len(text) > 1<<16 && !exhaustive.Enabled() {
					continue
				}
				o := readExpectation(t, input).Options
				config := lint.Config{Protocol: o.Protocol, Partial: o.Partial, Dialect: o.Dialect, Kind: o.Kind, AutoRun: o.AutoRun, AllowEmpty: o.AllowEmpty, Form: o.Form}
				if o.Against != "" {
					config.Against = conversationIn(t, filepath.Join(filepath.Dir(input), o.Against))
				}
				for _, minimum := range lint.Severities() {
					checkDecided(t, input, text, config, minimum)
				}
			}
		})
	}
}

func TestExamplesAreDecidedInOrder(t *testing.T) {
	for _, rule := range rules.All() {
		for _, e := range append(rule.Bad, rule.Good...) {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			for _, minimum := range lint.Severities() {
				checkDecided(t, rule.ID+" "+e.Name, []byte(e.Text()), config, minimum)
			}
		}
	}
}

func checkDecided(t *testing.T, name string, text []byte, config lint.Config, minimum lint.Severity) {
	t.Helper()
	input := &gate{Reader: bytes.NewReader(text), t: t, decided: -1}
	for f, err := range linterStoppingAt(config, minimum).Lint(t.Context(), name, input) {
		if unknown := new(lint.UnknownInputError); errors.As(err, &unknown) {
			return
		}
		require.NoError(t, err, name)
		if f.Severity >= minimum && f.Path == name {
			assert.LessOrEqual(t, input.decided, f.Place.Span.Start.Offset, "%s, %s and above: %s at line %d: %s", name, minimum, f.Rule.ID, f.Place.Span.Start.Line, f.Message)
		}
	}
}

// gate is an input that keeps up to where it is decided.
type gate struct {
	io.Reader
	t       *testing.T
	decided int64
}

func (g *gate) Decided(offset int64) {
	assert.Greater(g.t, offset, g.decided)
	g.decided = offset
}
