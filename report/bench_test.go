package report_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

func BenchmarkFinding(b *testing.B) {
	f := execution().findings[0]
	for _, format := range report.Formats() {
		b.Run(string(format), func(b *testing.B) {
			r, err := report.New(format, io.Discard, report.Options{})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, r.Finding(f))
			}
		})
	}
}
