package source_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/source/value"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

func TestPythonValues(t *testing.T) {
	tests := []struct {
		input string
		want  any
	}{
		{`None`, nil},
		{`True`, true},
		{`False`, false},
		{`-1.5e-07`, json.Number("-1.5e-07")},
		{`0`, json.Number("0")},
		{`[[True, []]]`, []any{[]any{true, []any{}}}},
		{"[\n None, ]", []any{nil}},
		{`{}`, map[string]any{}},
		{`{"a": {'b': [],},}`, map[string]any{"a": map[string]any{"b": []any{}}}},
		{`''`, ""},
		{`'"'`, `"`},
		{`"it's"`, "it's"},
		{`'it\'s'`, "it's"},
		{`'\n\t\r\\\"\b\f'`, "\n\t\r\\\"\b\f"},
		{`'\0\a\N{X}'`, `\0\a\N{X}`},
		{`'\x1b\xe9\u00e9\U0001f389'`, "\x1béé🎉"},
		{`'\z\/\é'`, `\z\/\é`},
		{`'\ud83c\udf89'`, "\ufffd\ufffd"},
		{"'\t\x1b'", "\t\x1b"},
	}
	for _, test := range tests {
		t.Run(test.input, func(t *testing.T) {
			rec := pythonRecord(t, "{'v': "+test.input+"}")
			require.NotNil(t, rec.Root, "%v", rec.Problems)
			require.Equal(t, map[string]any{"v": test.want}, rec.Root.Value())
			requireNode(t, rec.Data, rec, rec.Root)
			clone := rec.Clone()
			require.Equal(t, rec.Root.Value(), clone.Root.Value())
		})
	}
}

func TestPythonProblems(t *testing.T) {
	tests := []struct{ value, want string }{
		{`true`, "7-11 invalid-json: found `true`, Python writes `True`"},
		{`nan`, "7-10 invalid-json: found `nan`: Python has no literal for such a number"},
		{`datetime.date(1, 2)`, "7-20 invalid-json: found `datetime.date`, expected a value; text needs quotes"},
		{`<X object>`, "7-8 invalid-json: found `<`, expected a value"},
		{`b'x'`, "7-8 invalid-json: found `b`, expected a value; text needs quotes"},
		{`('a', )`, "7-8 invalid-json: found `(`, expected a value"},
		{`'a' 'b'`, "11-12 invalid-json: found a string, expected a comma or `}`"},
		{`{1: 2}`, "8-9 invalid-json: found `1`, expected a name in quotes or `}`"},
		{`{x: 2}`, "8-9 invalid-json: found the name `x` without quotes, expected a string in quotes"},
		{`{'x', 'y'}`, "11-12 invalid-json: found `,`, expected a colon after the name"},
		{`[,]`, "8-9 invalid-json: found `,`, expected a value or `]`"},
		{`1_000`, "7-12 invalid-json: found `1_000`, which is not a JSON number"},
		{`'\x4'`, "8-12 invalid-json: found `\\x4'`, expected 2 hexadecimal digits after `\\x`"},
		{`'\U00110000'`, "8-18 invalid-json: found `\\U00110000`, which is beyond the last character, U+10FFFF"},
		{"'\x00'", "8-9 invalid-json: found the character U+0000 inside a string, expected it as `\\x00`"},
		{"'\xff'", "8-9 invalid-utf8: found the byte 0xFF, which is not UTF-8"},
		{`'é\ud83cé\udf89'`, "9-15 lone-surrogate: found `\\ud83c`, half of a surrogate pair, which Python does not join"},
		{`1, 'v': 2`, "10-13 duplicate-key: the key `v` occurs twice in one object (2:2)"},
		{`1, '\x76': 2`, "10-16 duplicate-key: the key `v` occurs twice in one object (2:2)"},
		{`[[[[]]]]`, "9-10 too-deep: arrays and objects are nested more than 3 deep"},
	}
	for _, test := range tests {
		t.Run(test.value, func(t *testing.T) {
			reader := text.NewReader(strings.NewReader("{'first': 1}\n{'v': "+test.value+"}\n{'last': 2}"), source.Options{MaxDepth: 3})
			var records []*source.Record
			for rec, err := reader.Next(); err == nil; rec, err = reader.Next() {
				records = append(records, rec.Clone())
			}
			require.Len(t, records, 3)
			requireProblems(t, records[1], test.want)
			require.Empty(t, records[2].Problems)
		})
	}
}

// Two halves of names that only look alike are two names.
func TestPythonNamesWithSurrogates(t *testing.T) {
	rec := pythonRecord(t, `{'\ud83c': 1, '\ud83d': 2}`)
	for _, p := range rec.Problems {
		require.NotEqual(t, source.DuplicateKey, p.Kind)
	}
}

func TestPlaceInPython(t *testing.T) {
	rec := pythonRecord(t, `{'v': 'a\x1b\'é\z'}`)
	node := rec.Root.Member("v")
	text := node.Text()
	for _, test := range []struct{ part, want string }{
		{"a", "1:8-1:9"}, {"\x1b", "1:9-1:13"}, {"'", "1:13-1:15"}, {"é", "1:15-1:16"}, {`\z`, "1:16-1:18"},
	} {
		from := strings.Index(text, test.part)
		span := rec.PlaceIn(node, from, from+len(test.part)).Span
		require.Equal(t, test.want, lineAndColumn(span.Start)+"-"+lineAndColumn(span.End), "%q", test.part)
	}
}

// FuzzPython reads anything as a Python literal. Its nodes lie where they say,
// and text that is JSON, but for its words and a few escapes, has the values
// that encoding/json finds.
func FuzzPython(f *testing.F) {
	for _, seed := range append(scanSeeds, `'a'`, `"\x41\N{X}"`, "[1, # x\n]", `'\ud83c'`, `{'a': 1, "a": 2}`) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		text := []byte("{'v': " + string(value) + "}")
		if bytes.Contains(text, []byte("messages")) {
			return
		}
		requirePlaces(t, text, source.Options{Form: source.FormPython})
		root := valueOf(t, text, source.FormPython)
		asJSON := []byte(`{"v": ` + string(value) + "}")
		if bytes.ContainsAny(value, "\\/#'") || !json.Valid(asJSON) || hasWord(asJSON) {
			return
		}
		if json := valueOf(t, asJSON, source.FormJSON); json != nil {
			require.NotNil(t, root)
			require.Equal(t, json.Value(), root.Value())
		}
	})
}

// hasWord reports whether JSON contains a word, which Python spells differently.
func hasWord(text []byte) bool {
	return bytes.Contains(text, []byte("true")) || bytes.Contains(text, []byte("false")) || bytes.Contains(text, []byte("null"))
}

// valueOf reads one record, and returns nil if it is not the only one or wrong.
func valueOf(t *testing.T, input []byte, form source.Form) *source.Node {
	reader := text.NewReader(bytes.NewReader(input), source.Options{Form: form, MaxDepth: value.MaxDepth})
	rec, err := reader.Next()
	require.NoError(t, err)
	for _, p := range rec.Problems {
		if p.IsFatal() {
			return nil
		}
	}
	first := rec.Clone()
	if _, err := reader.Next(); err != io.EOF {
		return nil
	}
	return first.Root
}
