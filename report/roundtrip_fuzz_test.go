package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lmclint/lmclint/report"
)

// Whatever a finding holds, the programs that a format is for read it back.

func FuzzConcise(f *testing.F)    { fuzzFormat(f, report.FormatConcise) }
func FuzzSARIF(f *testing.F)      { fuzzFormat(f, report.FormatSARIF) }
func FuzzGitHub(f *testing.F)     { fuzzFormat(f, report.FormatGitHub) }
func FuzzGitLab(f *testing.F)     { fuzzFormat(f, report.FormatGitLab) }
func FuzzJUnit(f *testing.F)      { fuzzFormat(f, report.FormatJUnit) }
func FuzzCheckstyle(f *testing.F) { fuzzFormat(f, report.FormatCheckstyle) }
func FuzzMarkdown(f *testing.F)   { fuzzFormat(f, report.FormatMarkdown) }

func fuzzFormat(f *testing.F, format report.Format) {
	for _, text := range hostileTexts {
		f.Add("a.jsonl", "m"+text, text)
		f.Add(text+"x", text+"m", "")
	}
	f.Fuzz(func(t *testing.T, path, message, help string) {
		path = "x" + strings.ReplaceAll(path, "/", "_")
		if ambiguous(path) || ambiguous(message) || ambiguous(help) {
			return
		}
		roundTrip(t, format, path, "m"+message, help)
	})
}

// ambiguous reports whether a text contains what the reader of a test takes for
// the end of another, or is too long to be shown in full.
func ambiguous(text string) bool {
	const short = 300
	for _, mark := range []string{":7:3", rule, "; ", "help: ", "<br>", "warning: "} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return utf8.RuneCountInString(text) > short
}
