package report_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/source"
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
				if strings.Contains(line, "--> ") { // a place is one word
					continue
				}
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

// After the first findings with one message, the others of the input are counted.
func TestRepeatsAreCounted(t *testing.T) {
	place := func(line int) source.Place {
		return source.Place{Record: line - 1, Span: source.Span{Start: source.Position{Line: line, Column: 2, Offset: int64(line)}, End: source.Position{Line: line, Column: 3}}}
	}
	var s sample
	for _, path := range []string{"a.jsonl", "b.jsonl"} {
		for line := range 5 {
			s.findings = append(s.findings,
				lint.Finding{Rule: duplicate, Severity: lint.SeverityError, Path: path, Message: "twice", Conversation: -1, Place: place(line + 1)},
				lint.Finding{Rule: duplicate, Severity: lint.SeverityError, Path: path, Message: fmt.Sprint("different ", line), Conversation: -1, Place: place(line + 1)})
		}
		s.files = append(s.files, checked(path, 10).files...)
	}
	for most, want := range map[int][]string{
		0: nil,
		2: {"error[LMC003]: twice: 3 more, the first at a.jsonl:3:2 (--max-repeats 0 shows all)", "error[LMC003]: twice: 3 more, the first at b.jsonl:3:2"},
		4: {"error[LMC003]: twice: 1 more, the first at a.jsonl:5:2 (--max-repeats 0 shows all)", "error[LMC003]: twice: 1 more, the first at b.jsonl:5:2"},
		5: nil,
	} {
		out := string(render(t, s, report.FormatText, report.Options{MaxRepeats: most}))
		var counted []string
		for line := range strings.Lines(out) {
			if strings.Contains(line, " more, ") {
				counted = append(counted, strings.TrimSuffix(line, "\n"))
			}
		}
		assert.Equal(t, want, counted)
		shown := 10
		if most > 0 {
			shown = 2 * min(most, 5)
		}
		assert.Equal(t, shown, strings.Count(out, "]: twice\n"))
		assert.Equal(t, 10, strings.Count(out, "]: different "), "other messages are counted for themselves")
	}
}

// A fix is shown as the record before and after, with a window around what changes.
func TestFixesAreShown(t *testing.T) {
	text := `{"role": "user", "type": "mesage", "content": "` + strings.Repeat("x", 60) + `"}`
	at := strings.Index(text, `"mesage"`)
	span := source.Span{Start: source.Position{Line: 1, Column: at + 1, Offset: int64(at)}, End: source.Position{Line: 1, Column: at + 9, Offset: int64(at) + 8}}
	s := sample{findings: []lint.Finding{{
		Rule: duplicate, Severity: lint.SeverityError, Path: "a.jsonl", Message: "m", Conversation: -1,
		Place: source.Place{Span: span, Excerpt: source.Excerpt{Text: text, Column: 1}},
		Fix:   fix.Safe("replace it", []fix.Edit{{Span: span, Text: `"message"`}}),
	}}, files: checked("a.jsonl", 1).files}
	out := string(render(t, s, report.FormatText, report.Options{Fixes: true, Width: 60}))
	assert.Contains(t, out, "  |\n  = fix: replace it\n"+
		`    - … "user", "type": "mesage", "content": "xxxxxxxxxxxxx…`+"\n"+
		`    + … "user", "type": "message", "content": "xxxxxxxxxxxx…`+"\n")
	assert.NotContains(t, string(render(t, s, report.FormatText, report.Options{})), "= fix")
	out = string(render(t, s, report.FormatText, report.Options{Fixes: true, Color: true}))
	assert.Contains(t, out, "\x1b[32m\"message\"\x1b[0m")

	s.findings[0].Fix.Partial = true // of several records
	whole := s.findings[0]
	whole.Fix = fix.Unsafe("replace all", append(slices.Clone(whole.Fix.Edits), fix.Edit{Change: fix.RemoveRecord}))
	assert.Equal(t, " --> a.jsonl:1:26\n"+
		`    - {"role": "user", "type": "mesage", "content": "`+strings.Repeat("x", 60)+"\"}\n"+
		`    + {"role": "user", "type": "message", "content": "`+strings.Repeat("x", 60)+"\"}\n\n"+
		" --> a.jsonl:1:26\n  = unsafe fix: replace all\n\n",
		string(report.Fixes([]lint.Finding{s.findings[0], whole}, report.Options{})))
}
