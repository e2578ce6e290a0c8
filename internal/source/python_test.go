package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

const told = ": records are Python literals, not JSON"

func TestPythonForms(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"print(chunk)", "{'a': 1}\n{'b': None}\n", []string{"0 1:1 {'a': 1}", "  1:1-1:9 python" + told, "1 2:1 {'b': None}"}},
		{"double quotes and True", "{\"a\": True}\n{\"b\": \"it's\"}\n", []string{`0 1:1 {"a": True}`, "  1:1-1:12 python" + told, `1 2:1 {"b": "it's"}`}},
		{"columns count code points", "{'é': '汉'}  {'🎉': 1}", []string{"0 1:1 {'é': '汉'}", "  1:1-1:11 python" + told, "1 1:13 {'🎉': 1}"}},
		{"comments and blank lines", "# {\"a\": 1}\n\n  {'a': 1} # one\n#\n{'b': 2} # two", []string{"0 3:3 {'a': 1}", "  3:3-3:11 python" + told, "1 5:1 {'b': 2}", "5:15 ()", "  1:1-1:2 comments: found 4 comments, which JSON does not have; this is the first of them"}},
		{"commas behind records", "{'a': 1},\n{'b': 2} ,\r\n{'c': 3},,", []string{
			"0 1:1 {'a': 1}", "  1:1-1:9 python" + told,
			"1:9 (,)", "  1:9-1:10 invalid-json: found `,` after a record, expected a new line", "1 2:1 {'b': 2}", "2 3:1 {'c': 3}",
		}},
		{"list", "[{'a': 1}, {'b': 2},]", []string{"0/0 1:2 {'a': 1}", "  1:2-1:10 python" + told, "1/1 1:12 {'b': 2}"}},
		{"list over lines", "[\n {'a': 1}, # one\n {'b':\n  [2]}\n]\n", []string{"0/0 2:2 {'a': 1}", "  2:2-2:10 python" + told, "1/1 3:2 {'b':\n  [2]}", "6:1 ()", "  2:12-2:13 comments: found a comment, which JSON does not have"}},
		{"a list per line", "[{'a': 1}]\n[{'b': 2}]\n", []string{"0/0/0 1:2 {'a': 1}", "  1:2-1:10 python" + told, "1/0/0 2:2 {'b': 2}"}},
		{"dicts over lines", "{'a': 1,\n 'b': '}'}\n{'c': {\n 'd': 1}}\n", []string{"0 1:1 {'a': 1,\n 'b': '}'}", "  1:1-2:11 python" + told, "1 3:1 {'c': {\n 'd': 1}}"}},
		{"bracket alone", "{\n'a': 1\n}", []string{"0 1:1 {\n'a': 1\n}", "  1:1-3:2 python" + told}},
		{"envelope", "{'id': 1, 'messages': [{'a': 1}], 'x': 2,}", []string{"0/messages/0 1:24 {'a': 1}", "  1:24-1:32 python" + told}},
		{"broken first line", "x}\n{'a': tru}\n{'b': 2}", []string{
			"0 1:1 !x}", "  1:1-1:2 invalid-json: found `x`, expected a value; text needs double quotes",
			"1 2:1 !{'a': tru}", "  2:1-2:11 python" + told, "  2:7-2:10 invalid-json: found `tru`, expected a value; text needs quotes", "2 3:1 {'b': 2}",
		}},
		{"JSON among them", "{'a': 1}\n{'b': 2}\n{\"c\": null}", []string{
			"0 1:1 {'a': 1}", "  1:1-1:9 python" + told, "1 2:1 {'b': 2}",
			"2 3:1 !{\"c\": null}", "  3:7-3:11 invalid-json: found `null`, Python writes `None`",
		}},
		{"truncated", "{'a': 1}\n{'b': 'x", []string{"0 1:1 {'a': 1}", "  1:1-1:9 python" + told, "1 2:1 !{'b': 'x", "  2:9-2:9 truncated: the input ends before the record is closed"}},
		{"byte order mark", "\ufeff{'a': 1}", []string{"1:1 (\ufeff)", "  1:1-1:2 bom: found a byte order mark (U+FEFF), which JSON does without", "0 1:2 {'a': 1}", "  1:2-1:10 python" + told}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { requireOutcome(t, test.input, auto, source.FormPython, test.want...) })
	}
}

// A literal among records of JSON is a mistake, also as the first.
func TestPythonAmongJSON(t *testing.T) {
	const fault = "invalid-json: found `'`, expected a string in double quotes: this is a Python literal, not JSON"
	requireOutcome(t, "{'a': True}\n{\"b\": 1}\n{'c': 2}\n", auto, source.FormJSONL,
		"0 1:1 !{'a': True}", "  1:2-1:3 "+fault, `1 2:1 {"b": 1}`, "2 3:1 !{'c': 2}", "  3:2-3:3 "+fault)
}

// pprint writes each line of a program on a line of its own.
func TestLongWrappedPython(t *testing.T) {
	const code = "{'role': 'x = 1\\n'\n"
	wrapped := code + strings.Repeat("      'x = 1\\n'\n", 8000) + "      'x = 2'}\n"
	for name, prefix := range map[string]string{"x.jsonl": "", "x.log": "10:12:00 DEBUG relay: "} {
		r := text.NewReader(strings.NewReader(prefix+"{'role': True}\n"+prefix+wrapped+prefix+"{'role': None}\n"), source.Options{Name: name})
		for index := range 3 {
			rec, err := r.Next()
			require.NoError(t, err)
			require.NotNil(t, rec.Root, "record %d after the prefix %q", index, prefix)
			require.Equal(t, index, rec.Index)
			require.False(t, rec.IsGap)
		}
	}
}

// What JSON is stays JSON, whatever is among it.
func TestNotPython(t *testing.T) {
	tests := []struct{ name, input string }{
		{"apostrophes", "{\"a\": \"it's None\"}\n"},
		{"literal behind JSON", "{\"a\": 1}\n{'b': True}\n"},
		{"literal before JSON", "{'a': True}\n{\"b\": 1}\n"},
		{"literal before much JSON", "{'a': True}\n{\"b\": 1}\n{\"c\": 1}\n{'d': True}\n"},
		{"one word before JSON", "{\"a\": True}\n{\"b\": 1}\n{\"c\": true}\n"},
		{"trailing comma", "{\"a\": 1,}\n{\"b\": 1}\n"},
		{"name without quotes", "{a: 'b'}\n"},
		{"comment", "# x\n{\"a\": 1}\n"},
		{"nothing but brackets", "{\n[\n{\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, in := range piecewise(test.input) {
				require.Equal(t, source.FormJSONL, outcomeOf(in, auto).Form, name)
			}
		})
	}
}

// Braces in prose are those of a text.
func TestProseIsNotPython(t *testing.T) {
	for name, in := range piecewise("It's None of that.\nNor {'this'}.\n") {
		require.Equal(t, source.FormText, outcomeOf(in, source.Options{}).Form, name)
	}
}

func TestForcedPython(t *testing.T) {
	python := source.Options{Form: source.FormPython}
	requireOutcome(t, "{\"a\": 1}\n", python, source.FormPython, `0 1:1 {"a": 1}`, "  1:1-1:9 python"+told)
	requireOutcome(t, "", python, source.FormPython)
	requireOutcome(t, "{'a': 1}", source.Options{Form: source.FormJSONL}, source.FormJSONL, "0 1:1 !{'a': 1}",
		"  1:2-1:3 invalid-json: found `'`, expected a string in double quotes: this is a Python literal, not JSON")
}

// A reader that has read Python reads JSON again after Reset.
func TestResetBehindPython(t *testing.T) {
	reader := text.NewReader(strings.NewReader("{'a': 1}"), auto)
	_, err := reader.Next()
	require.NoError(t, err)
	reader.Reset("", strings.NewReader(`{"a": null}`))
	rec, err := reader.Next()
	require.NoError(t, err)
	require.Empty(t, rec.Problems)
	require.False(t, rec.Python)
	require.Equal(t, source.FormJSONL, reader.Form())
}

// A place that was remembered is the same when the record is gone.
func TestAnchorInPython(t *testing.T) {
	rec := pythonRecord(t, `{'a': {'b~': [1, 'x']}}`)
	node := &rec.Root.Member("a").Member("b~").Children[1]
	var anchor source.PlaceRef
	anchor.Set(rec, node)
	require.Equal(t, rec.PlaceOf(node), anchor.Place())
	require.Equal(t, "/a/b~0/1", anchor.Place().Pointer)
}

// These records must not be recognized by their bytes as JSON.
func TestAheadInPython(t *testing.T) {
	for _, input := range []string{"{'a': 1}\n{'b': 2}\n", "[{'a': 1}, {'b': 2}]"} {
		reader := text.NewReader(strings.NewReader(input), auto)
		_, err := reader.Next()
		require.NoError(t, err)
		_, ok := reader.Peek()
		require.False(t, ok)
	}
}

func pythonRecord(t *testing.T, input string) *source.Record {
	t.Helper()
	rec, err := text.NewReader(strings.NewReader(input), source.Options{Form: source.FormPython}).Next()
	require.NoError(t, err)
	return rec
}
