package source_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/text"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// first reads the first record of an input.
func first(t *testing.T, input string) *source.Record {
	t.Helper()
	rec, err := text.NewReader(strings.NewReader(input), auto).Next()
	require.NoError(t, err)
	require.NotNil(t, rec.Root)
	return rec
}

// placeLine shows a place.
func placeLine(p source.Place) string {
	return lineAndColumn(p.Span.Start) + "-" + lineAndColumn(p.Span.End) + " " + p.Pointer
}

func TestPlaces(t *testing.T) {
	rec := first(t, "[\n  {\"é\": {\n    \"a/b~c\": [1, \"汉\\n字\", null]},\n   \"\": 2}\n]")
	root := rec.Root
	inner := root.Member("é")
	list := inner.Member("a/b~c")
	require.Equal(t, "2:3-4:10 /0", placeLine(rec.Place()))
	require.Equal(t, "2:3-4:10 /0", placeLine(rec.PlaceOf(root)))
	require.Equal(t, "2:3-4:10 /0", placeLine(rec.PlaceOfKey(root)))
	require.Equal(t, "2:9-3:32 /0/é", placeLine(rec.PlaceOf(inner)))
	require.Equal(t, "2:4-2:7 /0/é", placeLine(rec.PlaceOfKey(inner)))
	require.Equal(t, "3:5-3:12 /0/é/a~1b~0c", placeLine(rec.PlaceOfKey(list)))
	require.Equal(t, "3:14-3:31 /0/é/a~1b~0c", placeLine(rec.PlaceOf(list)))
	require.Equal(t, "3:15-3:16 /0/é/a~1b~0c/0", placeLine(rec.PlaceOf(&list.Children[0])))
	require.Equal(t, "3:18-3:24 /0/é/a~1b~0c/1", placeLine(rec.PlaceOf(&list.Children[1])))
	require.Equal(t, "4:4-4:6 /0/", placeLine(rec.PlaceOfKey(root.Member(""))))
	require.Nil(t, root.Member("none"))
	require.Nil(t, (*source.Node)(nil).Member("none"))
	require.Nil(t, list.Member("none"))
}

func TestPlaceIn(t *testing.T) {
	rec := first(t, `{"a": "xé\n\u00e9\ud83c\udf89\ud800y\/", "b": 12}`)
	n := rec.Root.Member("a")
	require.Equal(t, n.Text(), string(n.Bytes()))
	require.Equal(t, "xé\né🎉\ufffdy/", n.Text())
	for piece, want := range map[string]string{
		"x": "1:8-1:9", "é": "1:9-1:10", "\n": "1:10-1:12", "né": "", "🎉": "1:18-1:30", "\ufffd": "1:30-1:36", "y": "1:36-1:37", "/": "1:37-1:39",
		"\né🎉": "1:10-1:30", n.Text(): "1:8-1:39",
	} {
		from := strings.Index(n.Text(), piece)
		if want == "" {
			require.Negative(t, from)
			continue
		}
		require.Equal(t, want+" /a", placeLine(rec.PlaceIn(n, from, from+len(piece))), piece)
	}
	require.Equal(t, "1:18-1:30 /a", placeLine(rec.PlaceIn(n, 7, 8)), "inside a code point")
	require.Equal(t, "1:39-1:39 /a", placeLine(rec.PlaceIn(n, 99, 99)), "behind the text")
	require.Equal(t, "1:8-1:8 /a", placeLine(rec.PlaceIn(n, 0, 0)), "nothing")
	require.Equal(t, "1:47-1:49 /b", placeLine(rec.PlaceIn(rec.Root.Member("b"), 0, 1)), "no string")
}

func TestExcerpts(t *testing.T) {
	many := strings.Repeat("é", 300)
	tests := []struct {
		name, input, member string
		want                source.Excerpt
	}{
		{"whole line", `  {"a": 1} `, "a", source.Excerpt{Text: `{"a": 1}`, Column: 3}},
		{"its line only", "{\"x\":\r\n\t0, \"a\": 1,\r\n\"y\": 2}", "a", source.Excerpt{Text: "\t0, \"a\": 1,", Column: 1}},
		{"cut on the right", `{"a":1,"b":"` + many + `"}`, "a", source.Excerpt{Text: `{"a":1,"b":"` + many[:2*148], Column: 1, CutRight: true}},
		{"cut on the left", `{"b":"` + many + `","a":1}`, "a", source.Excerpt{Text: many[:2*152] + `","a":1}`, Column: 155, CutLeft: true}},
		{
			"cut on both sides", `{"b":"` + many + `","a":1,"c":"` + many + `"}`, "a",
			source.Excerpt{Text: many[:2*74] + `","a":1,"c":"` + many[:2*73], Column: 233, CutLeft: true, CutRight: true},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rec := first(t, test.input)
			require.Equal(t, test.want, rec.PlaceOf(rec.Root.Member(test.member)).Excerpt)
		})
	}
}

// An excerpt shows nothing of other records.
func TestExcerptKeepsToRecord(t *testing.T) {
	rec := first(t, `{"a":1}{"b":2}`)
	require.Equal(t, source.Excerpt{Text: `{"a":1}`, Column: 1}, rec.Place().Excerpt)
}

func TestClone(t *testing.T) {
	reader := text.NewReader(strings.NewReader("{\"a\":[\"x\\n\",1],\"a\":2}\n{\"b\":3}\n"), auto)
	rec, err := reader.Next()
	require.NoError(t, err)
	clone := rec.Clone()
	before := []any{recordLine(rec), rec.Root.Value(), rec.Problems, rec.PlaceOf(rec.Root.Member("a")), rec.Root.Member("a").Children[0].Text()}
	copy(rec.Data, strings.Repeat("?", len(rec.Data))) // as later records may
	_, err = reader.Next()
	require.NoError(t, err)
	after := []any{recordLine(clone), clone.Root.Value(), clone.Problems, clone.PlaceOf(clone.Root.Member("a")), clone.Root.Member("a").Children[0].Text()}
	require.Equal(t, before, after)
}

func TestValues(t *testing.T) {
	rec := first(t, `{"s":"é\u00e9","t":true,"f":false,"n":null,"a":[1,-0.5,[]],"o":{"x":{}}}`)
	require.Equal(t, map[string]any{
		"s": "éé", "t": true, "f": false, "n": nil, "a": []any{json.Number("1"), json.Number("-0.5"), []any{}}, "o": map[string]any{"x": map[string]any{}},
	}, rec.Root.Value())
	kinds := ""
	for i := range rec.Root.Children {
		n := &rec.Root.Children[i]
		kinds += n.Kind.String() + " "
		require.Equal(t, n.Kind == source.String, n.Text() != "")
		require.Equal(t, n.Name == "s", n.Text() != string(n.RawContent()))
	}
	require.Equal(t, "string boolean boolean null array object ", kinds)
	require.Empty(t, source.Kind(0).String())
	require.Empty(t, source.Kind(99).String())
}

// A copied PlaceRef keeps its place when the original is set to another one,
// for records short enough to be kept and for long ones.
func TestPlaceRefCopyIsIndependent(t *testing.T) {
	for _, input := range []string{`{"a": 1}`, `{"a": "` + strings.Repeat("x", 5000) + `"}`} {
		record := first(t, input)
		var original, copied source.PlaceRef
		copied.Set(first(t, `{"other": true}`), nil)
		original.Set(record, record.Root.Member("a"))
		want := original.Place()
		copied.Copy(&original)
		original.Set(first(t, `{"b": false}`), nil)
		require.Equal(t, want, copied.Place())
	}
}

func TestLinesBelow(t *testing.T) {
	rec := first(t, "[\r\n  {\r\n    \"a\": 1,\r\n    \"b\": {\r\n      \"c\": 2},\r\n\r\n\"d\": 4,\r\n\"e\": 5,\r\n\"f\": 6}\r\n]")
	place := rec.Place()
	lines := func(p source.Place) (all []string) {
		for _, l := range p.Below {
			all = append(all, fmt.Sprintf("%d:%s", l.Line, l.Text))
		}
		return all
	}
	require.Equal(t, []string{`3:    "a": 1,`, `4:    "b": {`, `5:      "c": 2},`, "6:", `9:"f": 6}`}, lines(place))
	require.Equal(t, []string{`5:      "c": 2},`}, lines(rec.PlaceOf(rec.Root.Member("b"))))
	require.Empty(t, lines(rec.PlaceOf(rec.Root.Member("a"))))
	var kept source.PlaceRef
	kept.Set(rec, nil)
	require.Equal(t, place, kept.Place())

	long := first(t, "{\"a\":\n\""+strings.Repeat("\u6c49", 500)+"\"}").Place().Below
	require.Equal(t, []source.ExcerptLine{{Line: 2, Text: `"` + strings.Repeat("\u6c49", source.ExcerptWidth-1), CutRight: true}}, long)
}
