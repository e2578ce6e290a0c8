package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// explained reports findings one by one with a reporter that names the command
// that explains rules.
func explained(t *testing.T, findings ...lint.Finding) string {
	t.Helper()
	var out bytes.Buffer
	r, err := report.New(report.FormatText, &out, report.Options{Explain: "lmclint explain"})
	require.NoError(t, err)
	for _, f := range findings {
		require.NoError(t, r.Finding(f))
	}
	require.NoError(t, r.File(report.File{}))
	require.NoError(t, r.End(report.Summary{}))
	return out.String()
}

func TestExplanationIsNamedOncePerRule(t *testing.T) {
	input := "{\"a\": 1}\n{\"b\": 2}\n{\"c\": 3}\n"
	at := func(line int, rule *lint.Rule) lint.Finding {
		return finding(rule, "a.jsonl", "m", place(input, line, 0, "{"))
	}
	out := explained(t, at(3, unknownKey), at(1, unknownKey), at(2, spelling))
	assert.Equal(t, 1, strings.Count(out, "\n  = more: lmclint explain LMC110\n"))
	assert.Equal(t, 1, strings.Count(out, "\n  = more: lmclint explain LMC119\n"))
	first, _, _ := strings.Cut(out, "\n\n")
	assert.Contains(t, first, "= more: lmclint explain LMC110", "the first finding that is written")
	assert.Equal(t, 2, strings.Count(out, "\n\n"), "an empty line between two findings")
}

// Nothing is wider than the terminal but a word that is wider itself, and lines
// break between words.
func TestTextFitsTheTerminal(t *testing.T) {
	message := "the content of this message is not what was streamed: the first difference is at character 12, 日本語 日本語 日本語 日本語"
	help := "recorded with auto_run? pass --auto-run; recorded from the server? pass --dialect server, or remove the block and its confirmation"
	for _, width := range []int{30, 40, 60, 80, 120} {
		for _, s := range append(samples(), severalPlaces(), longLine(), bars()) {
			for i := range s.findings {
				s.findings[i].Message, s.findings[i].Help, s.findings[i].Path = message, help, "a.jsonl"
				for j := range s.findings[i].Related {
					s.findings[i].Related[j].Message, s.findings[i].Related[j].Path = "the block that was opened here and never closed", ""
				}
			}
			s.files = checked("a.jsonl", 1).files
			out := string(render(t, s, report.FormatText, report.Options{Width: width}))
			for line := range strings.Lines(out) {
				line = strings.TrimRight(line, "\n")
				assert.LessOrEqual(t, runewidth.StringWidth(line), width, "%s: %s", s.name, line)
			}
			words := strings.Fields(out)
			for _, word := range append(strings.Fields(message), strings.Fields(help)...) {
				assert.True(t, len(s.findings) == 0 || contains(words, word), "%d columns break %q", width, word)
			}
		}
	}
}

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

// A line of a wrapped message is not a workflow command.
func TestWrappedTextIsNoWorkflowCommand(t *testing.T) {
	text := strings.Repeat("x ::stop-commands::x ##[debug] ", 12)
	for width := 20; width < 60; width++ {
		f := finding(unknownKey, "a.jsonl", text, place("{}", 1, 0, "{}"))
		f.Help = text
		assertNoOrders(t, report.FormatText, render(t, checked("a.jsonl", 1, f), report.FormatText, report.Options{Width: width}))
	}
}
