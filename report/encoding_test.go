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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/exhaustive"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/report"
)

// The types below are a finding as encoding/json writes it.

type jsonPlace struct {
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Offset    int64  `json:"offset"`
	EndOffset int64  `json:"endOffset"`
	Record    *int   `json:"record,omitempty"`
	Pointer   string `json:"pointer"`
}

type jsonRelated struct {
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	jsonPlace
}

type jsonFinding struct {
	Rule         string `json:"rule"`
	Name         string `json:"name"`
	Severity     string `json:"severity"`
	Message      string `json:"message"`
	Help         string `json:"help,omitempty"`
	Path         string `json:"path"`
	Conversation *int   `json:"conversation,omitempty"`
	jsonPlace
	Related []jsonRelated `json:"related"`
}

func model(f lint.Finding) jsonFinding {
	related := []jsonRelated{}
	for _, r := range f.Related {
		related = append(related, jsonRelated{r.Message, r.Path, modelPlace(r.Place)})
	}
	return jsonFinding{
		f.Rule.ID, f.Rule.Name, f.Severity.String(), f.Message, f.Help, f.Path,
		counted(f.Conversation), modelPlace(f.Place), related,
	}
}

func modelPlace(p source.Place) jsonPlace {
	return jsonPlace{
		max(1, p.Span.Start.Line), max(1, p.Span.Start.Column), max(1, p.Span.End.Line), max(1, p.Span.End.Column),
		p.Span.Start.Offset, p.Span.End.Offset, counted(p.Record), p.Pointer,
	}
}

func counted(i int) *int {
	if i < 0 {
		return nil
	}
	return &i
}

// order is what a build system takes for an order.
var order = regexp.MustCompile(`##(\[|vso\[|teamcity\[)`)

// reference is the line that encoding/json writes, with hidden characters
// escaped and orders to a build system broken up.
func reference(t *testing.T, f lint.Finding) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(model(f)))
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

func TestJSONIsThatOfTheStandardLibrary(t *testing.T) {
	for _, s := range samples() {
		for _, f := range s.findings {
			assert.Equal(t, reference(t, f), jsonLine(t, f), s.name)
		}
	}
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
