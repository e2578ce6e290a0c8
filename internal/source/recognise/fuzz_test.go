package recognise_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/recognise"
	"github.com/lmclint/lmclint/internal/source/value"
)

// FuzzMatchedRecordsAreValid checks the promise of the package: a record that
// matches a template is valid, and differs from it in the value that varies only.
func FuzzMatchedRecordsAreValid(f *testing.F) {
	for _, seed := range [][3]string{
		{`{"a": "x", "content": "text"}`, `{"a": "x", "content": "\u00e9 longer"}`, ``},
		{`{"a": "x", "content": "text"}`, `{"content": "text", "a": "x"}`, ``},
		{`{"content": {"content": "text", "a": 1}}`, `{"content": {"a": 1, "content": "\ud83c\udf89"}}`, ``},
		{`{"content": 12, "a": null}`, `{"a": null, "content": 7}`, `{"a": null, "content": 07}`},
		{`{"role": "x", "content": "a"}`, "{\"role\": \"x\", \"content\": \"\x1b\"}", `{"role": "x", "role": "x"}`},
		{`{"role": "x", "start": true}`, `{"start": true, "role": "x"}`, `{"start": true}`},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, template, line, next string) {
		if strings.ContainsAny(template+line+next, "\n\r") {
			return
		}
		m := recognise.New("content")
		for _, order := range []string{template, line} { // the second one may be another order
			rec, ok := parseValid(order)
			if !ok {
				continue
			}
			added := m.Add(rec, varying(rec))
			if added == nil {
				continue
			}
			for _, text := range []string{template, line, next, line + next, next + line} {
				matchesValid(t, m, text)
			}
		}
	})
}

// matchesValid checks a line if it matches.
func matchesValid(t *testing.T, m *recognise.Matcher, line string) {
	t.Helper()
	w := lines(line + "\n")
	template, match, _ := m.Next(w)
	if template == nil {
		return
	}
	rec, ok := parseValid(line)
	require.True(t, ok, line)
	require.Len(t, rec.Data, match.Size, line)
	got := template.Fill(w, match)
	require.Equal(t, rec.Root.Value(), got.Root.Value(), line)
	assertSameNodes(t, rec, got, rec.Root, got.Root)
	if n := varying(rec); n != nil && n.Kind == value.String {
		assert.True(t, n.IsPlain(), line)
	}
}

// parseValid reads a line that is one JSON object without problems.
func parseValid(line string) (*source.Record, bool) {
	r := source.NewReader(strings.NewReader(line+"\n"), source.Options{Form: source.FormJSONL})
	rec, err := r.Next()
	if err != nil || rec.IsGap || rec.Root == nil || rec.Root.Kind != value.Object || len(rec.Problems) > 0 {
		return nil, false
	}
	rec = rec.Clone()
	_, err = r.Next()
	return rec, err != nil && string(rec.Data) == line
}
