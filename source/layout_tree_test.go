package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/source"
)

// A table of layouts finds what each of its layouts matches by itself, and
// nothing else.
func TestLayoutsFindWhatLayoutsMatch(t *testing.T) {
	records := []string{
		`{"role": "a", "content": "hole"}`, `{"role": "a", "type": "b", "content": "hole"}`, `{"role": "ab", "content": "hole"}`,
		`{"content": "hole", "role": "a"}`, `{"content": "hole", "role": "ab"}`, `{"content": "hole"}`, `{ "content": "hole" }`,
		`{"content": 12, "role": "a"}`, `{"content": 1}`, `{"role": "a", "start": true}`, `{"role": "a", "content": null}`,
		`{"role": "a", "end": true}`, `{"role": "a", "content": {"format": "b", "content": "hole"}}`, `{"content": {"content": "hole"}, "role": "a"}`, `{}`,
	}
	table := source.NewLayouts[int]()
	var layouts []source.Layout
	for i, record := range records {
		rec := readOne(t, record)
		hole := rec.Root.Member("content")
		if hole.Member("content") != nil {
			hole = hole.Member("content")
		}
		if hole != nil && hole.Kind != source.String && hole.Kind != source.Number {
			hole = nil
		}
		layouts = append(layouts, source.NewLayout(rec, hole))
		_, known := table.Get(&layouts[i])
		require.False(t, known, record)
		table.Add(&layouts[i], i)
	}
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

func finds(t *testing.T, table *source.Layouts[int], layouts []source.Layout, text string) {
	t.Helper()
	want := "nothing"
	for i := range layouts {
		if hole, size, _ := layouts[i].Match([]byte(text)); size > 0 {
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
