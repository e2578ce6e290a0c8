package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"

	"github.com/lmclint/lmclint/report"
)

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
				assert.True(t, len(s.findings) == 0 || slices.Contains(words, word), "%d columns break %q", width, word)
			}
		}
	}
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
