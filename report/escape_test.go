package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/report"
)

// Text of a recording is not a command to a CI system anywhere in a block of a
// document, and programs read it unchanged.
func TestLongDocumentsHaveNoWorkflowCommands(t *testing.T) {
	for _, order := range []string{"##[add-mask]", "##vso[x]", "##teamcity[x]", "##", "#", "##te", "##vsa["} {
		for pad := range 3 {
			message := strings.Repeat("x", pad) + strings.Repeat(order, 300)
			f := finding(unknownKey, "a.jsonl", message, place("{}", 1, 0, "{}"))
			s := checked("a.jsonl", 1, f)
			for range 30 {
				s.findings = append(s.findings, f)
			}
			out := render(t, s, report.FormatJSON, report.Options{})
			assertNoOrders(t, report.FormatJSON, out)
			var doc struct{ Findings []struct{ Message string } }
			require.NoError(t, json.Unmarshal(out, &doc))
			require.Equal(t, message, doc.Findings[0].Message)
		}
	}
}

func TestFileNamesAreNoWorkflowCommands(t *testing.T) {
	for _, path := range []string{"::add-mask::x.jsonl", "  ::stop-commands::x", "##[debug]x"} {
		f := finding(unknownKey, path, "m", place("{}", 1, 0, "{}"))
		for _, format := range report.Formats() {
			assertNoOrders(t, format, render(t, checked(path, 1, f), format, report.Options{}))
		}
		assertNoOrders(t, report.FormatText, render(t, checked(path, 1, f), report.FormatText, report.Options{Color: true}))
	}
	assert.Equal(t, "lmclint: #<U+0023>[debug]x", report.EscapeControls("lmclint: ##[debug]x"))
}
