package preview_test

import (
	"context"
	"fmt"
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

func TestBetween(t *testing.T) {
	record := func(kind string) string {
		return `{"role": "assistant", "type": "` + kind + `", "content": "é` + kind + `"}`
	}
	for name, c := range map[string]struct {
		before, after string
		want          []string // line:column, before and after with what changes in brackets
	}{
		"a word of a long line": {
			"[" + record("a") + ", " + record("mesage") + ", " + record("b") + "]",
			"[" + record("a") + ", " + strings.Replace(record("mesage"), "mesage", "message", 1) + ", " + record("b") + "]",
			[]string{`1:85 ["mesage"]["message"]`},
		},
		"a line between others": {"1\n2\n3\n", "1\n2\nnew\n3\n", []string{"3:1 [][new]"}},
		"a line that goes":      {"1\n2\n3\n", "1\n3\n", []string{"2:1 [2][]"}},
		"two lines": {
			record("mesage") + "\n" + record("b") + "\n" + record("codes") + "\n",
			record("message") + "\n" + record("b") + "\n" + record("code") + "\n",
			[]string{`1:31 ["mesage", "content": "émesage"]["message", "content": "émessage"]`, `3:31 ["codes", "content": "écodes"]["code", "content": "écode"]`},
		},
		"the end of a text": {"1\n2", "1\n2\n", []string{"2:2 [2][]", "2:2 [][2]"}},
		"nothing":           {"1\n", "1\n", nil},
		"everything":        {"", "1\n", []string{"1:1 [][1]"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, l := range preview.Between([]byte(c.before), []byte(c.after)) {
				mark := func(e preview.Excerpt) string { return "[" + e.Text[e.From:e.To] + "]" }
				got = append(got, fmt.Sprintf("%d:%d %s%s", l.Line, l.Column, mark(l.Before), mark(l.After)))
			}
			assert.Equal(t, c.want, got)
		})
	}
}
