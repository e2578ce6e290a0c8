package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/report"
)

// Whatever a finding holds, a report is text without line ends of its own
// making, and JSON is valid.
func FuzzFinding(f *testing.F) {
	f.Add("a.jsonl", "message", `{"role": "日本"}`, 1, 11, 15, 0)
	f.Add("evil\n\x1b[2J", "\u202e\xff", "\t\x00👩\u200d💻\r", 3, 4, 900, 25)
	f.Add("", "", "", 0, -5, -9, 1)
	f.Add("###[###vso[", "##teamcity[##[", "##", 86, 27, -7, 54)
	f.Fuzz(func(t *testing.T, path, message, excerpt string, first, from, to, width int) {
		at := source.Place{
			Span: source.Span{
				Start: source.Position{Line: 1, Column: from},
				End:   source.Position{Line: 1, Column: to},
			},
			Excerpt: source.Excerpt{Text: excerpt, Column: first, CutLeft: true, CutRight: true},
		}
		s := checked(path, 1, finding(unknownKey, path, message, at))
		text := render(t, s, report.FormatText, report.Options{Width: width % 200})
		require.True(t, utf8.Valid(text))
		lines := 2
		if excerpt != "" {
			lines = 5
		}
		if width%200 <= 0 {
			assert.Equal(t, lines, strings.Count(string(text), "\n"))
		}
		assert.False(t, bytes.ContainsAny(text, "\x00\x1b\r\u202e"))
		for _, line := range bytes.Split(bytes.TrimSpace(render(t, s, report.FormatJSONL, report.Options{})), []byte("\n")) {
			assert.True(t, json.Valid(line), "%s", line)
		}
		assert.Equal(t, reference(t, s.findings[0]), jsonLine(t, s.findings[0]))
		assert.True(t, json.Valid(render(t, s, report.FormatJSON, report.Options{})))
	})
}
