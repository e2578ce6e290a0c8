package report_test

import (
	"bytes"
	"cmp"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/dev/generated"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// render reports a sample as a run would.
func render(t *testing.T, s sample, f report.Format, o report.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	r, err := report.New(f, &out, o)
	require.NoError(t, err)
	require.NoError(t, r.Begin(report.Run{Tool: "lmclint", Version: "v0.1.0"}))
	var summary report.Summary
	for _, file := range s.files {
		for _, finding := range s.findings {
			if of(finding) == file.Path {
				require.NoError(t, r.Finding(finding))
			}
		}
		file.FailOn = cmp.Or(file.FailOn, lint.SeverityWarning)
		require.NoError(t, r.File(file))
		summary.Add(file)
	}
	require.NoError(t, r.End(summary))
	return out.Bytes()
}

// of is the input that a finding came with.
func of(f lint.Finding) string {
	if f.Path == "conversation.json" {
		return "agreed.jsonl" // which was compared with it
	}
	return f.Path
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	generated.Expected(t, filepath.Join("testdata", name), got)
}

func TestGolden(t *testing.T) {
	for _, s := range samples() {
		for _, f := range []report.Format{report.FormatText, report.FormatJSON, report.FormatJSONL} {
			t.Run(s.name+"/"+string(f), func(t *testing.T) {
				golden(t, s.name+"."+string(f), render(t, s, f, report.Options{}))
			})
		}
	}
}

// code matches the code of the page, and its hashes.
var code = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|sha256-[^']*`)

func TestGoldenFormats(t *testing.T) {
	for _, f := range report.Formats() {
		t.Run(string(f), func(t *testing.T) {
			out := render(t, everything(), f, report.Options{})
			if f == report.FormatHTML {
				out = code.ReplaceAll(out, nil)
			}
			golden(t, "everything."+string(f), out)
		})
	}
}

func TestGoldenLooks(t *testing.T) {
	linked := report.Options{RulePage: func(r *lint.Rule) string { return "https://example.com/" + r.ID }, Explain: "lmclint explain"}
	fingerprinted := execution()
	fingerprinted.findings[0].Fingerprint = "0123"
	for _, c := range []struct {
		name    string
		sample  sample
		options report.Options
	}{
		{"execution-color.text", execution(), report.Options{Color: true}},
		{"execution-width40.text", execution(), report.Options{Width: 40}},
		{"wide-width30.text", wide(), report.Options{Width: 30}},
		{"several-places.text", severalPlaces(), report.Options{}},
		{"several-places-width40.text", severalPlaces(), report.Options{Width: 40}},
		{"bars.text", bars(), report.Options{}},
		{"bars-width40.text", bars(), report.Options{Width: 40}},
		{"bars-color.text", bars(), report.Options{Color: true}},
		{"long-line.text", longLine(), report.Options{}},
		{"long-line-width60.text", longLine(), report.Options{Width: 60}},
		{"links.text", execution(), linked},
		{"links.sarif", fingerprinted, linked},
		{"explained.text", unsorted("a.jsonl"), linked},
		{"causes.text", causes(), report.Options{}},
		{"causes-width60.text", causes(), report.Options{Width: 60}},
		{"causes.concise", causes(), report.Options{}},
		{"causes.json", causes(), report.Options{}},
		{"causes.sarif", causes(), report.Options{}},
		{"causes.github", causes(), report.Options{}},
		{"causes.gitlab", causes(), report.Options{}},
		{"causes.junit", causes(), report.Options{}},
		{"causes.checkstyle", causes(), report.Options{}},
		{"causes.markdown", causes(), report.Options{}},
		{"live.text", live(), report.Options{}},
		{"live.concise", live(), report.Options{}},
		{"live.jsonl", live(), report.Options{}},
		{"live.github", live(), report.Options{}},
		{"fixes-width60.text", fixed(), report.Options{Fixes: true, Width: 60}},
		{"fixes-color.text", fixed(), report.Options{Fixes: true, Color: true}},
		{"fixes-hidden.text", fixed(), report.Options{}},
		{"clean.gitlab", checked("clean.jsonl", 1), report.Options{}},
		{"clean.junit", checked("clean.jsonl", 1), report.Options{}},
		{"own-fail-on.junit", ownFailOn(), report.Options{}},
		{"hidden.junit", hidden(), report.Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, render(t, c.sample, report.Format(filepath.Ext(c.name)[1:]), c.options))
		})
	}
}

// Fixes that were applied are shown without their findings.
func TestGoldenFixes(t *testing.T) {
	some := fixed().findings[0]
	some.Fix.Partial = true // of several records
	whole := some
	whole.Fix = fix.Unsafe("replace all", append(slices.Clone(some.Fix.Edits), fix.Edit{Change: fix.RemoveRecord}))
	golden(t, "applied.text", report.Fixes([]lint.Finding{some, whole}, report.Options{}))
}
