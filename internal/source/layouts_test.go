package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// A table of layouts finds what each of its layouts matches by itself, in
// whatever order the members come, and nothing else.
func TestLayoutsFindWhatLayoutsMatch(t *testing.T) {
	records := []string{
		`{"role": "a", "content": "hole"}`, `{"role": "a", "type": "b", "content": "hole"}`, `{"role": "ab", "content": "hole"}`,
		`{"content": "hole", "role": "a"}`, `{"content": "hole", "role": "ab"}`, `{"content": "hole"}`, `{ "content": "hole" }`,
		`{"content": 12, "role": "a"}`, `{"content": 1}`, `{"role": "a", "start": true}`, `{"role": "a", "content": null}`,
		`{"role": "a", "end": true}`, `{"role": "a", "content": {"format": "b", "content": "hole"}}`, `{"content": {"content": "hole"}, "role": "a"}`,
	}
	table := source.NewLayouts[int]()
	layouts := make([]source.Template, 0, len(records)) // of which the table keeps addresses
	for _, record := range records {
		rec := readOne(t, record)
		hole := rec.Root.Member("content")
		if hole.Member("content") != nil {
			hole = hole.Member("content")
		}
		if hole != nil && hole.Kind != source.String && hole.Kind != source.Number {
			hole = nil
		}
		layout := source.NewLayout(rec, hole)
		if same := slices.IndexFunc(layouts, func(l source.Template) bool { return l.Equal(&layout) }); same >= 0 {
			found, known := table.Get(&layout)
			require.True(t, known, record)
			require.Equal(t, same, found, record)
			continue
		}
		_, known := table.Get(&layout)
		require.False(t, known, record)
		layouts = append(layouts, layout)
		table.Add(&layouts[len(layouts)-1], len(layouts)-1)
	}
	require.Len(t, layouts, len(records)-2, "two have another in another order")
	records = append(records,
		`{"content": "hole", "type": "b", "role": "a"}`, `{"type": "b", "content": "hole", "role": "a"}`, `{"start": true, "role": "a"}`,
		`{"content": {"content": "hole", "format": "b"}, "role": "a"}`, `{"role": "a", "content": 12}`, `{"content": , "role": "a"}`, `{"role": "a", "content": }`, `{"role": "a", "content": "hole", "role": "a"}`)
	for _, record := range records {
		for _, text := range []string{"hole", "", `\n`, `\u001b`, `\`, "x\x01"} {
			line := strings.ReplaceAll(record, "hole", text)
			for end := range len(line) + 1 {
				for _, text := range []string{line[:end], line[:end] + "\n", line[:end] + `x"}`, line[:end] + "}"} {
					finds(t, table, layouts, text)
				}
			}
		}
	}
}

func finds(t *testing.T, table *source.TemplateIndex[int], layouts []source.Template, text string) {
	t.Helper()
	want := "nothing"
	for i := range layouts {
		if hole, size, _ := layouts[i].MatchAnyOrder([]byte(text)); size > 0 {
			require.Equal(t, "nothing", want, "two layouts match %s", text)
			want = fmt.Sprint(i, hole, size)
		}
	}
	got := "nothing"
	if i, hole, size, _ := table.Find([]byte(text), false); size > 0 {
		got = fmt.Sprint(i, hole, size)
	}
	assert.Equal(t, want, got, text)
}
