package report_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

func BenchmarkFinding(b *testing.B) {
	for name, s := range map[string]sample{"ascii": execution(), "wide": wide()} {
		for _, format := range []report.Format{report.FormatText, report.FormatJSONL} {
			b.Run(name+"/"+string(format), func(b *testing.B) {
				r, err := report.New(format, io.Discard, report.Options{})
				require.NoError(b, err)
				b.ReportAllocs()
				for b.Loop() {
					require.NoError(b, r.Finding(s.findings[0]))
				}
			})
		}
	}
}

// A document is written when the run ends, and costs most there.
func BenchmarkDocument(b *testing.B) {
	const findings = 10_000
	f := execution().findings[0]
	for _, format := range []report.Format{
		report.FormatJSON, report.FormatSARIF, report.FormatGitLab, report.FormatJUnit, report.FormatCheckstyle, report.FormatMarkdown,
	} {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := report.New(format, io.Discard, report.Options{})
				require.NoError(b, err)
				for range findings {
					require.NoError(b, r.Finding(f))
				}
				require.NoError(b, r.File(report.File{}))
				require.NoError(b, r.End(report.Summary{}))
			}
		})
	}
}
