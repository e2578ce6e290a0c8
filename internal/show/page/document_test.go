package page_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/internal/show/page"
	"github.com/lmclint/lmclint/internal/show/timeline"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

type document struct {
	Version int
	Left    struct{ Findings, Files, Views int }
	Rules   map[string]struct{ Name string }
	Files   []struct {
		Path  string
		Views []struct {
			Records int
			Lanes   []string
			Bars    []struct {
				First, Last int
				Content     struct{ Head string }
			}
			Excerpts []struct {
				Record int
				Text   string
			}
		}
	}
	Findings []struct {
		Rule             string
		File, View, Lane int
		Mark             []int
		Excerpt          struct{ Text string }
	}
}

// build makes the document of inputs, and returns it as text, too.
func build(t *testing.T, inputs map[string]string) (document, string) {
	t.Helper()
	var b page.Builder
	linter := linttest.MustNew(rules.All(), lint.WithObserver(timeline.Observe))
	for path, text := range inputs {
		result, err := linter.Run(context.Background(), path, strings.NewReader(text), func(f lint.Finding) error {
			b.Finding(f)
			return nil
		})
		require.NoError(t, err)
		b.File(&result, err)
	}
	text := b.Document("lmclint", "v1", nil)
	var d document
	require.NoError(t, json.Unmarshal(text, &d))
	return d, string(text)
}

const empty = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "end": true}
`

func TestFindingsReferToTheirFileAndView(t *testing.T) {
	d, _ := build(t, map[string]string{
		"b.jsonl": empty,
		"a.json":  `[{"role": "user", "type": "message", "content": "Hi"}]`,
		"c.jsonl": `[{"role": "user", "type": "message", "content": "x"}]` + "\n" + `[{"role": "user", "type": "message", "content": " "}]` + "\n",
	})
	require.Len(t, d.Files, 3)
	assert.Equal(t, "a.json", d.Files[0].Path)
	require.Len(t, d.Findings, 2)
	first, second := d.Findings[0], d.Findings[1]
	assert.Equal(t, []int{1, 0}, []int{first.File, first.View})
	assert.Equal(t, []int{2, 1}, []int{second.File, second.View})
	view := d.Files[1].Views[0]
	assert.Equal(t, "assistant", view.Lanes[first.Lane])
	require.Len(t, view.Bars, 1)
	assert.Equal(t, []int{0, 1}, []int{view.Bars[0].First, view.Bars[0].Last})
	excerpt := view.Excerpts[0].Text
	assert.Equal(t, strings.SplitN(empty, "\n", 2)[0], excerpt[first.Mark[0]:first.Mark[1]])
	assert.Equal(t, "empty-block", d.Rules[first.Rule].Name)
}

func TestTextIsSafeInAPage(t *testing.T) {
	hostile := "</script><img onerror=x> ##[set-output] \u202e \u2028 \U000e0041 \u00ad"
	content, err := json.Marshal(hostile)
	require.NoError(t, err)
	d, text := build(t, map[string]string{"a.json": `[{"role": "user", "type": "message", "content": ` + string(content) + `, "odd": 1}]`})
	for _, raw := range []string{"<", ">", "##", "\u202e", "\u2028", "\U000e0041", "\u00ad", "\x00"} {
		assert.NotContains(t, text, raw)
	}
	assert.Equal(t, hostile, d.Files[0].Views[0].Bars[0].Content.Head)
}

func TestFindingsAreBounded(t *testing.T) {
	var b page.Builder
	for range page.MaxFindings + 5 {
		b.Finding(lint.Finding{Rule: rules.All()[0], Path: "a", Severity: lint.SeverityNote})
	}
	b.File(&lint.Result{Path: "a"}, nil)
	for i := range page.MaxFiles + 5 {
		b.File(&lint.Result{Path: strconv.Itoa(i)}, nil)
	}
	var d document
	require.NoError(t, json.Unmarshal(b.Document("lmclint", "v1", nil), &d))
	assert.Len(t, d.Findings, page.MaxFindings)
	assert.Equal(t, 5, d.Left.Findings)
	assert.Len(t, d.Files, page.MaxFiles)
	assert.Equal(t, 6, d.Left.Files)
}

// A long text is truncated in the page, with the amount that is omitted.
func TestLongTextIsShortened(t *testing.T) {
	long := strings.Repeat("word ", 8000)
	record := func(members string) string { return `{"role": "assistant", "type": "message", ` + members + "}\n" }
	_, text := build(t, map[string]string{"a.jsonl": record(`"start": true`) + record(`"content": "`+long+`"`) + record(`"end": true`) +
		`{"role": "computer", "type": "` + strings.Repeat("kind", 50) + `", "start": true}` + "\n"})
	assert.Contains(t, text, `"omitted":`)
	assert.NotContains(t, text, long)
	assert.Contains(t, text, strings.Repeat("kind", 15)+"…")
}
