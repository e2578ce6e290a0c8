package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/show/jsonreport"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// order is what a build system takes for an order.
var order = regexp.MustCompile(`##(\[|vso\[|teamcity\[)`)

// reference is the line that encoding/json writes, with hidden characters
// escaped and orders to a build system broken up.
func reference(t *testing.T, f lint.Finding) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(jsonreport.NewFinding(&f)))
	var line strings.Builder
	for _, r := range strings.TrimSuffix(out.String(), "\n") {
		if !unicode.In(r, unicode.Cc, unicode.Cf) || r == '\u200c' || r == '\u200d' {
			line.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&line, `\u%04x`, unit)
		}
	}
	return order.ReplaceAllString(line.String(), `#\u0023$1`)
}

func jsonLine(t *testing.T, f lint.Finding) string {
	t.Helper()
	var out bytes.Buffer
	r, err := report.New(report.FormatJSONL, &out, report.Options{})
	require.NoError(t, err)
	require.NoError(t, r.Finding(f))
	return strings.TrimSuffix(out.String(), "\n")
}

func TestEveryCharacterIsEscapedInJSON(t *testing.T) {
	var text strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !exhaustive.Enabled() && (0x3100 <= r && r < 0xD700 || 0x1E000 <= r && r < 0xE0000 || 0xE0200 <= r) && r&0xFFF != 0xFFF {
			continue // letters and private use
		}
		text.WriteRune(r)
		text.WriteByte("a\xff\xc3\xe2"[r&3])
		if r&0xFFF == 0xFFF {
			f := finding(unknownKey, "a.jsonl", text.String(), place("{}", 1, 0, "{}"))
			require.Equal(t, reference(t, f), jsonLine(t, f), "up to %U", r)
			text.Reset()
		}
	}
}
