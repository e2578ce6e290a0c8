package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// Once the linter says that an input is decided up to an offset, no rule has a
// finding before it: a rule that reports at an earlier record holds that back.
func TestNothingIsReportedBeforeWhatIsDecided(t *testing.T) {
	t.Parallel()
	for _, folder := range caseFolders {
		t.Run(folder, func(t *testing.T) {
			for _, input := range exhaustive.Sample(cases(t, folder), 12) {
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
				checkSettled(t, input, text, config)
			}
		})
	}
}

func TestExamplesAreDecidedInOrder(t *testing.T) {
	t.Parallel()
	for _, rule := range exhaustive.Sample(rules.All(), 50) {
		for _, e := range append(rule.Bad, rule.Good...) {
			config, err := protocol.ExampleConfig(e)
			require.NoError(t, err)
			for _, minimum := range lint.Severities() {
				checkDecided(t, rule.ID+" "+e.Name, []byte(e.Text()), config, minimum)
			}
			checkSettled(t, rule.ID+" "+e.Name, []byte(e.Text()), config)
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

// A stream of records that belong nowhere has many mistakes at once, most of which
// are decided later than their place.
func TestFindingsOfRandomStreamsAreSettled(t *testing.T) {
	t.Parallel()
	var records []string
	for _, rule := range rules.All() {
		for _, e := range append(rule.Bad, rule.Good...) {
			if text := e.Text(); len(text) < 4<<10 {
				records = append(records, slices.Collect(strings.Lines(text))...)
			}
		}
	}
	require.NotEmpty(t, records)
	random := rand.New(rand.NewPCG(1, 2))
	times := 5
	if exhaustive.Enabled() {
		times = 200
	}
	for i := range times {
		var text strings.Builder
		for range 1 + random.IntN(80) {
			at := random.IntN(len(records))
			for range 1 + random.IntN(4) { // some follow each other as they should
				text.WriteString(strings.TrimSuffix(records[at%len(records)], "\n") + "\n")
				at++
			}
		}
		for _, config := range []lint.Config{
			{},
			{Kind: "stream"},
			{Kind: "stream", Dialect: "interpreter"},
			{Kind: "stream", Dialect: "classic"},
			{Kind: "transcript", Form: "jsonl"},
			{Protocol: "workbench"},
		} {
			checkSettled(t, fmt.Sprint(i), []byte(text.String()), config)
		}
	}
}

// checkSettled checks that no finding comes at a place before which the findings
// are complete, in both lanes.
func checkSettled(t *testing.T, name string, text []byte, config lint.Config) {
	t.Helper()
	if config.Against != nil {
		return
	}
	for _, lane := range [][]lint.Option{nil, {lint.WithoutFastPath()}} {
		linter := linttest.MustNew(rules.All(), append(lane, lint.WithConfig(config), lint.WithSettled(1))...)
		settled := int64(0)
		for f, err := range linter.Lint(t.Context(), name, bytes.NewReader(text)) {
			if err != nil {
				return
			}
			assert.GreaterOrEqual(t, f.Settled, settled, name)
			settled = f.Settled
			assert.LessOrEqual(t, settled, f.Place.Span.Start.Offset, "%s: %s at line %d: %s", name, f.Rule.ID, f.Place.Span.Start.Line, f.Message)
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
