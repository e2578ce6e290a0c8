package preview_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/linttest"
	"github.com/lmclint/lmclint/internal/preview"
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
