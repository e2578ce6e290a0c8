package preview_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/show/preview"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// What is shown of a fix is in the input, and in what the fix makes of it.
func TestPreviewIsWhatTheFixDoes(t *testing.T) {
	shown := 0
	for _, rule := range rules.All() {
		for _, example := range rule.Bad {
			linter := linttest.MustNew(rules.All(), lint.WithConfig(lint.Config{
				Protocol: example.Protocol, Kind: example.Kind, Dialect: example.Dialect, AutoRun: example.AutoRun, Partial: example.Partial,
			}))
			var found []lint.Finding
			_, err := linter.Run(context.Background(), "a", strings.NewReader(example.Input), func(f lint.Finding) error {
				found = append(found, f)
				return nil
			})
			if err != nil {
				continue
			}
			for i := range found {
				change, ok := preview.Of(&found[i])
				edits := found[i].Fix.ByteEdits()
				if !ok || len(edits) == 0 {
					continue
				}
				shown++
				fixed := applied(example.Input, edits)
				assert.Contains(t, example.Input, change.Before.Text, "%s %s", rule.ID, example.Name)
				assert.Contains(t, fixed, change.After.Text, "%s %s", rule.ID, example.Name)
				assert.NotEqual(t, change.Before.Text, change.After.Text)
				before, after := change.Before, change.After
				assert.Equal(t, before.Text[:before.From], after.Text[:after.From], "what is to the left stays")
				assert.Equal(t, before.Text[before.To:], after.Text[after.To:], "what is to the right stays")
			}
		}
	}
	require.Greater(t, shown, 20)
}

// applied makes changes of bytes, which are in order and do not overlap.
func applied(text string, edits []lint.Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Span.Start.Offset] + e.Text)
		at = int(e.Span.End.Offset)
	}
	return b.String() + text[at:]
}

// A record that goes or comes is shown whole, and what the line in the finding does not
// show is not.
func TestOf(t *testing.T) {
	at := func(column int) source.Position {
		return source.Position{Line: 1, Column: column, Offset: int64(column) - 1}
	}
	place := source.Place{Span: source.Span{Start: at(3), End: at(9)}, Excerpt: source.Excerpt{Text: `{"a":1}`, Column: 3, CutRight: true}}
	replace := func(from, to int, text string) fix.Edit {
		return fix.Edit{Span: source.Span{Start: at(from), End: at(to)}, Text: text}
	}
	removed := preview.Change{Before: preview.Excerpt{Text: `{"a":1}`, To: 7, CutRight: true}}
	for name, c := range map[string]struct {
		edits []fix.Edit
		want  preview.Change
		ok    bool
	}{
		"nothing":             {},
		"a record comes":      {[]fix.Edit{{Change: fix.AddAfter, Text: "{}"}}, preview.Change{After: preview.Excerpt{Text: "{}", To: 2}}, true},
		"the record goes":     {[]fix.Edit{{Change: fix.RemoveRecord, Span: place.Span}}, removed, true},
		"another record goes": {[]fix.Edit{{Change: fix.RemoveRecord}}, preview.Change{}, false},
		"two records":         {[]fix.Edit{{Change: fix.AddAfter}, {Change: fix.AddAfter}}, preview.Change{}, false},
		"left of the line":    {[]fix.Edit{replace(1, 2, "")}, preview.Change{}, false},
		"right of the line":   {[]fix.Edit{replace(12, 14, "")}, preview.Change{}, false},
		"lines come":          {[]fix.Edit{replace(4, 5, "\n")}, preview.Change{}, false},
	} {
		got, ok := preview.Of(&lint.Finding{Place: place, Fix: &lint.Fix{Edits: c.edits}})
		assert.Equal(t, c.ok, ok, name)
		assert.Equal(t, c.want, got, name)
	}
}
