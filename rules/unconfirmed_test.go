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
