package rules_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
)

// LMC301 advises what has an effect in the dialect, and says that code ran.
func TestWordsAboutUnconfirmedCode(t *testing.T) {
	for _, c := range []struct {
		file, message string
		config        lint.Config
		autoRun       bool // the help names --auto-run
	}{
		{"lmc301_none_confirmed", "code ran without a confirmation; the input has none so far", lint.Config{}, true},
		{"lmc301_auto_run_of_0_2", "code ran without a confirmation; the input has none so far", lint.Config{Dialect: "interpreter-0.2", AutoRun: true}, false},
		{"lmc301_auto_run_of_docs", "code ran without a confirmation; the input has none so far", lint.Config{Dialect: "docs", AutoRun: true}, false},
		{"lmc301_image", "code ran without a confirmation; the input has none so far", lint.Config{Dialect: "interpreter"}, true},
	} {
		text, err := os.ReadFile("../testdata/core/bad/" + c.file + ".jsonl")
		require.NoError(t, err)
		found := 0
		for _, f := range lintAll(t, linterFor(c.config), c.file, text) {
			if f.Rule.ID == "LMC301" {
				found++
				assert.Equal(t, c.message, f.Message, c.file)
				assert.Contains(t, f.Help, "--dialect server")
				if c.autoRun {
					assert.Contains(t, f.Help, "--auto-run")
				} else {
					assert.NotContains(t, f.Help, "--auto-run")
				}
			}
		}
		assert.Equal(t, 1, found, c.file)
	}
}

// A confirmation after its code began to run is a related place of the finding, and not a
// finding itself. If the dialect is set, the finding is reported at the first output,
// before the confirmation.
func TestLateConfirmationIsRelated(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, message string
		config        lint.Config
		related       []int // lines
	}{
		{"lmc301_confirmed_in_the_output", "code ran before its confirmation", lint.Config{}, []int{1, 6}},
		{"lmc301_confirmed_after_the_console_start", "code ran before its confirmation", lint.Config{}, []int{1, 5}},
		{"lmc301_confirmed_after_the_console_start", "code ran before its confirmation", lint.Config{Dialect: "interpreter"}, []int{1, 5}},
		{"lmc301_second_confirmed_late", "code ran before its confirmation", lint.Config{}, []int{9, 13}},
		{"lmc301_confirmation_after_run", "code ran before its confirmation", lint.Config{}, []int{1, 9}},
		{"lmc301_confirmation_after_run", "code ran without a confirmation; the input has none so far", lint.Config{Dialect: "interpreter"}, []int{1}},
	} {
		text, err := os.ReadFile("../testdata/core/bad/" + c.file + ".jsonl")
		require.NoError(t, err)
		found := lintAll(t, linterFor(c.config), c.file, text)
		require.Len(t, found, 1, c.file)
		assert.Equal(t, c.message, found[0].Message, c.file)
		var lines []int
		for _, r := range found[0].Related {
			lines = append(lines, r.Place.Span.Start.Line)
		}
		assert.Equal(t, c.related, lines, c.file)
	}
}
