package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source/embedded"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

func readOne(t *testing.T, line string) *source.Record {
	t.Helper()
	r := embedded.NewReader(strings.NewReader(line), source.Options{Form: source.FormJSONL})
	rec, err := r.Next()
	require.NoError(t, err)
	return rec.Clone()
}

// image is long and base64, of which layouts expect more.
var image = strings.Repeat("iVBORw0KGgo/", 10)

// A line that fits a sample makes the same record as reading it does.
func TestSampleFitsAsReadingDoes(t *testing.T) {
	for _, test := range []struct{ sample, key, line string }{
		{`{"a": "x", "b": "hole"}`, "b", `{"a": "x", "b": "something longer \n and \"quoted\""}`},
		{`{"b": "hole", "a": {"c": [1, 2]}, "d": null}`, "b", `{"b": "", "a": {"c": [1, 2]}, "d": null}`},
		{`{"b": "hole", "a": "日本"}`, "b", `{"b": "日本語 and more", "a": "日本"}`},
		{`{"a": 1}`, "", `{"a": 1}`},
		{`{"a": 1, "b": 2}`, "a", `{"a": 345, "b": 2}`},
		{`{"b": "hole"}`, "b", `{"b": "\u00e9 \ud83c\udf89"}`},
		{`{"b": "` + image + `", "a": 1}`, "b", `{"b": "` + image + image + `", "a": 1}`},
		{`{"b": "` + image + `", "a": 1}`, "b", `{"b": "` + image + `==\n", "a": 1}`},
		{`{"b": "` + image + `", "a": 1}`, "b", `{"b": "no image, but \"words\" of日本語", "a": 1}`},
		{`{"b": "` + image + `", "a": 1}`, "b", `{"b": "", "a": 1}`},
	} {
		rec := readOne(t, test.sample)
		s := source.NewSample(rec, rec.Root.Member(test.key))
		for _, line := range []string{test.line, test.sample, test.line} {
			hole, size := s.Layout.MatchLine([]byte(line + "\n"))
			require.Equal(t, len(line)+1, size, line)
			got := s.Fill(&source.Window{Text: []byte(line), At: source.Position{Line: 1, Column: 1}, Conversation: -1}, hole)
			want := readOne(t, line)
			assert.Equal(t, want.Root.Value(), got.Root.Value(), line)
			assert.Equal(t, want.Place(), got.Place(), line)
			for i := range want.Root.Children {
				assert.Equal(t, want.PlaceOf(&want.Root.Children[i]), got.PlaceOf(&got.Root.Children[i]), line)
				assert.Equal(t, want.PlaceOfKey(&want.Root.Children[i]), got.PlaceOfKey(&got.Root.Children[i]), line)
			}
		}
	}
}

func TestLayoutRefusesWhatItDoesNotKnow(t *testing.T) {
	refusesWhatItDoesNotKnow(t, "hole")
	refusesWhatItDoesNotKnow(t, image)
}

func refusesWhatItDoesNotKnow(t *testing.T, text string) {
	t.Helper()
	rec := readOne(t, `{"a": "x", "b": "`+text+`"}`)
	layout := source.NewLayout(rec, rec.Root.Member("b"))
	for _, line := range []string{
		"", "\n", "{", `{"a": "x", "b": "`, `{"a": "x", "b": "y"}`, `{"a": "x", "b": "y"`, `{"a": "x", "b": "y"} ` + "\n",
		`{"a": "y", "b": "y"}` + "\n", `{"a": "x", "b": 1}` + "\n", `{"a": "x", "b": "y", "c": 1}` + "\n",
		`{"a": "x", "b": "\u001b"}` + "\n", `{"a": "x", "b": "\u009b"}` + "\n", `{"a": "x", "b": "\ud83c"}` + "\n",
		`{"a": "x", "b": "\ud83cx\udf89"}` + "\n", `{"a": "x", "b": "\udf89\ud83c"}` + "\n", `{"a": "x", "b": "\u12"}` + "\n",
		`{"a": "x", "b": "\u12g4"}` + "\n", `{"a": "x", "b": "\x"}` + "\n", "{\"a\": \"x\", \"b\": \"a\tb\"}\n",
		"{\"a\": \"x\", \"b\": \"\u009b31m\"}\n", `{"a": "x", "b": "y"}{}` + "\n", `{"a": "x", "b": "long enough for words\` + "\n", "{\"a\": \"x\", \"b\": \"\xff\"}\n",
	} {
		_, size := layout.MatchLine([]byte(line))
		assert.Zero(t, size, "%q", line)
	}
	_, size := layout.MatchLine([]byte(`{"a": "x", "b": "y"}` + "\r\n"))
	assert.Equal(t, 22, size)
}

// A layout tells a string that goes on from one that it does not know.
func TestLayoutWaitsForItsString(t *testing.T) {
	for _, text := range []string{"hole", image} {
		rec := readOne(t, `{"a": "x", "b": "`+text+`"}`)
		layout := source.NewLayout(rec, rec.Root.Member("b"))
		for line, want := range map[string]bool{
			`{"a": "x", "b": "` + text: true, `{"a": "x", "b": "`: true, `{"a": "y", "b": "` + text: false, `{"a": "x", "b": "y"`: false,
		} {
			_, size, cut := layout.Match([]byte(line))
			assert.Zero(t, size, line)
			assert.Equal(t, want, cut, line)
		}
	}
}

func TestLayoutsOfPython(t *testing.T) {
	for _, literal := range []string{`'`, `"`} {
		record := `{'a': True, 'b': ` + literal + `hole` + literal + `}`
		rec := pythonRecord(t, record)
		layout := source.NewLayout(rec, rec.Root.Member("b"))
		fits := func(text string) bool {
			_, size := layout.MatchLine([]byte(strings.Replace(record, "hole", text, 1) + "\n"))
			return size > 0
		}
		for _, text := range []string{"", "x y", "日本", `\n\r\t\\`, `\'\"`} {
			assert.True(t, fits(text), text)
		}
		for _, text := range []string{literal, `\x1b`, `\u00e9`, `\N{BULLET}`, `\0`, `\a`, "\x1b", "a\tb", "\x7f", "\u009b", "\xff", `\`} {
			assert.False(t, fits(text), text)
		}
	}
}

// A line whose members come in another order than the sample's makes the same
// record as reading it does.
func TestSampleFitsShuffledRecords(t *testing.T) {
	for _, test := range []struct {
		sample, key string
		lines       []string
	}{
		{`{"role": "x", "content": "hole", "type": [1, 2]}`, "content", []string{
			`{"content": "something \n longer", "type": [1, 2], "role": "x"}`, `{"type": [1, 2], "role": "x", "content": ""}`, `{"role": "x", "content": "y", "type": [1, 2]}`,
		}},
		{`{"role": "x", "content": {"type": "y", "content": "hole"}}`, "content", []string{
			`{"content": {"content": "é", "type": "y"}, "role": "x"}`, `{"role": "x", "content": {"content": "\"", "type": "y"}}`, `{"role": "x", "content": {"type": "y", "content": "z"}}`,
		}},
		{`{"role": 1, "content": true}`, "role", []string{`{"content": true, "role": 999}`, `{"role": 23, "content": true}`}},
		{`{"role": "x", "content": true}`, "", []string{`{"content": true, "role": "x"}`, `{"role": "x", "content": true}`}},
		{`{"content": "` + image + `", "role": 1}`, "content", []string{`{"role": 1, "content": "` + image + image + `"}`, `{"role": 1, "content": "no image"}`}},
	} {
		rec := readOne(t, test.sample)
		hole := rec.Root.Member(test.key)
		if inside := hole.Member(test.key); inside != nil {
			hole = inside
		}
		s := source.NewSample(rec, hole)
		for _, line := range append(test.lines, test.sample, test.lines[0]) {
			hole, size, _ := s.Layout.MatchAnyOrder([]byte(line))
			require.Equal(t, len(line), size, line)
			got := s.Fill(&source.Window{Text: []byte(line), At: source.Position{Line: 1, Column: 1}, Conversation: -1}, hole)
			sameValues(t, readOne(t, line), got)
		}
	}
}

// sameValues checks that two records have the same values in the same places,
// in whatever order their trees have them.
func sameValues(t *testing.T, want, got *source.Record) {
	t.Helper()
	assert.Equal(t, want.Root.Value(), got.Root.Value())
	assert.Equal(t, string(want.Root.Raw()), string(got.Root.Raw()))
	assert.Equal(t, want.Place(), got.Place())
	var anchor source.PlaceRef
	for i := range want.Root.Children {
		n := &want.Root.Children[i]
		same := got.Root.Member(n.Name)
		assert.Equal(t, want.PlaceOf(n), got.PlaceOf(same))
		assert.Equal(t, want.PlaceOfKey(n), got.PlaceOfKey(same))
		assert.Equal(t, string(n.Raw()), string(same.Raw()))
		anchor.Set(got, same)
		assert.Equal(t, want.PlaceOf(n), anchor.Place())
		for j := range n.Children {
			inside := &n.Children[j]
			if inside.Name != "" {
				assert.Equal(t, want.PlaceOf(inside), got.PlaceOf(same.Member(inside.Name)))
			}
		}
	}
}

// What is no record of a layout in any order is not taken for one.
func TestShuffledMembersAreAllThereOnce(t *testing.T) {
	rec := readOne(t, `{"role": "x", "content": "hole", "type": {"end": 1}}`)
	layout := source.NewLayout(rec, rec.Root.Member("content"))
	for line, fits := range map[string]bool{
		`{"type": {"end": 1}, "content": "y", "role": "x"}`: true, `{"content": "y", "role": "x"}`: false, `{"content": "y", "role": "x", "role": "x"}`: false,
		`{"content": "y", "content": "y", "type": {"end": 1}}`: false, `{"content": "y", "role": "x", "type": {"end": 1}, "role": "x"}`: false, `{"content": "y","role": "x", "type": {"end": 1}}`: false,
		`{"content": "y", "role": "x", "type": {"end": 12}}`: false, `{"content": "\u001b", "role": "x", "type": {"end": 1}}`: false, `{"content": "y", "role": "x", "type": {"end": 1}`: false,
		`{"content": "`: false, `{"content": "y"`: false, `{`: false, ``: false, `{"`: false, `{"content": "y", "role": 1, "type": {"end": 1}}`: false,
	} {
		_, size, cut := layout.MatchAnyOrder([]byte(line))
		assert.Equal(t, fits, size == len(line) && size > 0, line)
		assert.Equal(t, line == `{"content": "`, cut, line)
	}
}
