package report_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/show/coverage"
	"github.com/lmclint/lmclint/report"
	"github.com/lmclint/lmclint/rules"
)

// covered is a coverage with a hostile name.
func covered() *coverage.Table {
	found := plugin.NewCoverage()
	found.Count(plugin.RecordKind{Role: "user", Type: "</script>\u202e##[x]"}, 2)
	found.Events["blocks"] = 3
	b := coverage.New(rules.All())
	b.Add(found, nil)
	return b.Table()
}

func TestCoverageIsInJSONAndHTML(t *testing.T) {
	for _, format := range []report.Format{report.FormatJSON, report.FormatHTML} {
		var out bytes.Buffer
		r, err := report.New(format, &out, report.Options{})
		require.NoError(t, err)
		require.NoError(t, r.Begin(report.Run{Tool: "lmclint", Version: "1"}))
		require.NoError(t, r.End(report.Summary{Coverage: covered()}))
		assert.Contains(t, out.String(), "LMC-STR-1", format)
		assert.NotContains(t, out.String(), "\u202e", format)
		assert.NotContains(t, out.String(), "##[x]", format)
		if format == report.FormatJSON {
			assert.NoError(t, compile(t, "").Validate(decode(t, out.Bytes())))
		}
	}
}
