package fix_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/source"
)

// read returns the record in a text of a form.
func read(t *testing.T, form source.Form, text string) *source.Record {
	t.Helper()
	r, err := source.NewReader(strings.NewReader(text), source.Options{Form: form}).Next()
	require.NoError(t, err)
	require.NotNil(t, r.Root)
	return r
}

// rewritten returns a text after edits in ascending order.
func rewritten(text string, edits []fix.Edit) string {
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		text = text[:e.Span.Start.Offset] + e.Text + text[e.Span.End.Offset:]
	}
	return text
}

// A value is written as the record is: as JSON or as Python, in its quotes.
func TestReplaceValue(t *testing.T) {
	for _, c := range []struct {
		value        any
		json, python string
	}{
		{nil, `null`, `None`},
		{false, `false`, `False`},
		{true, `true`, `True`},
		{7, `7`, `7`},
		{`it's "x"`, `"it's \"x\""`, `'it\'s "x"'`},
		{fix.Raw(`[1]`), `[1]`, `[1]`},
	} {
		r := read(t, source.FormJSONL, `{"role": "user", "n": "x"}`)
		assert.Equal(t, `{"role": "user", "n": `+c.json+`}`, rewritten(string(r.Data), fix.ReplaceValue(r, r.Root.Member("n"), c.value)))
		r = read(t, source.FormPython, `{'role': 'user', 'n': 'x'}`)
		assert.Equal(t, `{'role': 'user', 'n': `+c.python+`}`, rewritten(string(r.Data), fix.ReplaceValue(r, r.Root.Member("n"), c.value)))
	}
}

// Many parts of a text are removed by one edit, which keeps what is between them.
func TestRemoveManyTexts(t *testing.T) {
	for _, count := range []int{fix.MaxListed, fix.MaxListed + 1} {
		r := read(t, source.FormJSONL, `{"a": "`+strings.Repeat(`-\u0021\u00e9`, count)+`."}`)
		var parts [][]int
		for i := range count {
			parts = append(parts, []int{4 * i, 4*i + 2})
		}
		edits := fix.RemoveTexts(r, r.Root.Member("a"), parts)
		assert.Equal(t, `{"a": "`+strings.Repeat(`\u00e9`, count)+`."}`, rewritten(string(r.Data), edits))
		assert.Equal(t, count > fix.MaxListed, len(edits) == 1)
	}
}

// What a record does not have cannot be changed.
func TestImpossibleEdits(t *testing.T) {
	r := read(t, source.FormJSONL, `{"role": "user", "n": 7, "empty": {}, "text": "ab"}`)
	n, empty, all := r.Root.Member("n"), r.Root.Member("empty"), func(*source.Node) bool { return true }
	assert.Nil(t, fix.RenameMember(r, r.Root, "x"), "the root has no name")
	assert.Nil(t, fix.RemoveMembers(r, n, all), "a number has no members")
	assert.Nil(t, fix.RemoveMembers(r, nil, all))
	assert.Nil(t, fix.AppendMember(r, empty, "x", true), "it shows no style")
	assert.Nil(t, fix.RemoveText(r, n, 0, 1), "a number has no text")
	assert.Nil(t, fix.Join(r, n, r, r.Root.Member("text")))
	python := read(t, source.FormPython, `{'text': "ab"}`)
	assert.Nil(t, fix.Join(r, r.Root.Member("text"), python, python.Root.Member("text")), "one is JSON, one is Python")
}

// Of a long record only the place is kept; what is inserted beside it, and its removal,
// need no more.
func TestEditsOfALongRecord(t *testing.T) {
	r := read(t, source.FormPython, `{'role': 'user', 'content': '`+strings.Repeat("x", 8<<10)+`'}`)
	var a source.PlaceRef
	a.Set(r, nil)
	require.Nil(t, a.Record())
	place := a.Place()
	assert.Equal(t, []fix.Edit{{Span: place.Span, Text: `{'end': True}`, Change: fix.AddAfter}}, fix.InsertAfterRef(&a, fix.Member{Name: "end", Value: true}))
	assert.Equal(t, []fix.Edit{{Span: place.Span, Change: fix.RemoveRecord}}, fix.RemoveRef(&a))
}
