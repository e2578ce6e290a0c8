package recognise_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/recognise"
	"github.com/lmclint/lmclint/internal/source/value"
)

// image is a long text.
var image = strings.Repeat("iVBORw0KGgo/", 10)

// parse reads a record in full.
func parse(t *testing.T, line string) *source.Record {
	t.Helper()
	form := source.FormJSONL
	if strings.HasPrefix(line, `{'`) {
		form = source.FormPython
	}
	r := source.NewReader(strings.NewReader(line), source.Options{Form: form})
	rec, err := r.Next()
	require.NoError(t, err)
	return rec.Clone()
}

// lines is a window of lines at the start of an input.
func lines(text string) *source.Window {
	return &source.Window{
		Text: []byte(text), HasWholeRecords: true, At: value.Position{Line: 1, Column: 1}, Limit: source.DefaultMaxRecordBytes,
		Conversation: -1,
	}
}

// element is a window of an array's element, which may be incomplete.
func element(text string) *source.Window {
	w := lines(text)
	w.HasWholeRecords = false
	return w
}

// varying is the value of a record that may vary: its content, or the content of
// its content.
func varying(r *source.Record) *value.Node {
	n := r.Root.Member("content")
	if inner := n.Member("content"); inner != nil {
		n = inner
	}
	if n != nil && (n.Kind == value.String || n.Kind == value.Number) {
		return n
	}
	return nil
}

// matcherOf has records as templates.
func matcherOf(t *testing.T, records ...string) *recognise.Matcher {
	t.Helper()
	m := recognise.New("content")
	for _, record := range records {
		rec := parse(t, record)
		require.NotNil(t, m.Add(rec, varying(rec)), record)
	}
	return m
}

// matches reports whether a line matches, and checks the record that it fills.
func matches(t *testing.T, m *recognise.Matcher, line string) bool {
	t.Helper()
	m.Restart()
	w := lines(line + "\n")
	template, match, _ := m.Next(w)
	if template == nil {
		return false
	}
	got := template.Fill(w, match)
	assert.Same(t, template.Record(), got)
	assertSame(t, parse(t, line), got)
	template.Skip(w, match)
	assert.Empty(t, w.Text)
	assert.Equal(t, value.Position{Offset: int64(len(line)) + 1, Line: 2, Column: 1}, w.At)
	assert.Equal(t, 1, w.Number)
	return true
}

// assertSame checks that two records have the same values in the same places.
func assertSame(t *testing.T, want, got *source.Record) {
	t.Helper()
	assert.Equal(t, string(want.Data), string(got.Data))
	assert.Equal(t, want.Root.Value(), got.Root.Value())
	assert.Equal(t, want.Place(), got.Place())
	assertSameNodes(t, want, got, want.Root, got.Root)
}

func assertSameNodes(t *testing.T, want, got *source.Record, a, b *value.Node) {
	t.Helper()
	var ref source.PlaceRef
	ref.Set(got, b)
	assert.Equal(t, want.PlaceOf(a), ref.Place())
	assert.Equal(t, want.PlaceOf(a), got.PlaceOf(b))
	assert.Equal(t, string(a.Raw()), string(b.Raw()))
	for i := range a.Children {
		inner := &b.Children[i]
		if a.Kind == value.Object {
			inner = b.Member(a.Children[i].Name)
			assert.Equal(t, want.PlaceOfKey(&a.Children[i]), got.PlaceOfKey(inner))
		}
		assertSameNodes(t, want, got, &a.Children[i], inner)
	}
}

func TestFillGivesTheParsedRecord(t *testing.T) {
	for _, test := range []struct{ template, line string }{
		{`{"a": "x", "content": "text"}`, `{"a": "x", "content": "something longer \n and \"quoted\""}`},
		{`{"content": "text", "a": {"c": [1, 2]}, "d": null}`, ""},
		{`{"content": "text", "a": "日本"}`, `{"content": "日本語 and more", "a": "日本"}`},
		{`{"a": 1}`, `{"a": 1}`},
		{`{"content": 1, "b": 2}`, `{"content": 345, "b": 2}`},
		{`{"a": null, "content": {"b": true, "content": "text"}, "d": null}`, `{"a": null, "content": {"b": true, "content": "\"longer\""}, "d": null}`},
		{`{"content": "text"}`, `{"content": "\u00e9 \ud83c\udf89"}`},
		{`{"content": "` + image + `", "a": 1}`, `{"content": "` + image + image + `==\n", "a": 1}`},
		{`{"content": "` + image + `", "a": 1}`, `{"content": "", "a": 1}`},
	} {
		if test.line == "" { // the outline does not describe values that are lists
			continue
		}
		m := matcherOf(t, test.template)
		for _, line := range []string{test.line, test.template, test.line} {
			assert.True(t, matches(t, m, line), line)
		}
	}
}

// fourOrders are a record in several orders of its members. Each becomes a template.
var fourOrders = []string{
	`{"role": "x", "type": "y", "format": 1, "content": "text"}`, `{"type": "y", "role": "x", "format": 1, "content": "text"}`,
	`{"format": 1, "type": "y", "role": "x", "content": "text"}`, `{"content": "text", "role": "x", "type": "y", "format": 1}`,
}

func TestFillGivesTheParsedRecordInAnyOrder(t *testing.T) {
	m := matcherOf(t, fourOrders...)
	for _, line := range fourOrders {
		for _, text := range []string{`other \"text\"`, "", "日本"} {
			assert.True(t, matches(t, m, strings.Replace(line, "text", text, 1)), line)
		}
	}
	for _, line := range []string{
		`{"type": "y", "role": "x", "content": "text", "format": 1}`,
		`{"type": "y", "role": "x", "content": "text"}`, `{"type": "y", "role": "x", "content": "text", "role": "x"}`,
		`{"type": "y", "role": "x", "content": "text", "format": 12}`, `{"type": "y", "role": "x", "content": "text","format": 1}`,
		`{"type": "y", "role": "x", "content": "\u001b", "format": 1}`, `{"type": "y", "role": "x", "content": "text", "format": 1, "role": "x"}`,
		`{"type": "y", "role": "x", "content": "text", "content": "text"}`, `{"type": "y", "role": "x", "content": "text", "format": 1`,
	} {
		assert.False(t, matches(t, m, line), line)
	}
}

func TestNestedObjectsMatchInAnyOrder(t *testing.T) {
	orders := []string{
		`{"role": 1, "content": {"type": "y", "content": "text"}}`, `{"content": {"type": "y", "content": "text"}, "role": 1}`,
		`{"role": 1, "content": {"content": "text", "type": "y"}}`, `{"content": {"content": "text", "type": "y"}, "role": 1}`,
	}
	m := matcherOf(t, orders...)
	for _, line := range orders {
		assert.True(t, matches(t, m, strings.Replace(line, "text", "é", 1)), line)
	}
}

func TestOnlyValidValuesMatch(t *testing.T) {
	for _, text := range []string{"text", image} {
		m := matcherOf(t, `{"a": "x", "content": "`+text+`"}`)
		for _, line := range []string{
			"", "{", `{"a": "x", "content": "`, `{"a": "x", "content": "y"`, `{"a": "x", "content": "y"} `,
			`{"a": "y", "content": "y"}`, `{"a": "x", "content": 1}`, `{"a": "x", "content": "y", "c": 1}`,
			`{"a": "x", "content": "\u001b"}`, `{"a": "x", "content": "\u009b"}`, `{"a": "x", "content": "\ud83c"}`,
			`{"a": "x", "content": "\ud83cx\udf89"}`, `{"a": "x", "content": "\udf89\ud83c"}`, `{"a": "x", "content": "\u12"}`,
			`{"a": "x", "content": "\u12g4"}`, `{"a": "x", "content": "\x"}`, "{\"a\": \"x\", \"content\": \"a\tb\"}",
			"{\"a\": \"x\", \"content\": \"\u009b31m\"}", `{"a": "x", "content": "y"}{}`,
			`{"a": "x", "content": "long enough for words\`, "{\"a\": \"x\", \"content\": \"\xff\"}",
		} {
			assert.False(t, matches(t, m, line), "%q", line)
		}
	}
	m := matcherOf(t, `{"content": 12, "a": 1}`)
	for text, want := range map[string]bool{"1": true, "999999999": true, "1234567890": false, "0": false, "01": false, "1.5": false, "-1": false, "1e3": false} {
		assert.Equal(t, want, matches(t, m, `{"content": `+text+`, "a": 1}`), text)
	}
	m = matcherOf(t, `{"a": "x", "content": null}`)
	assert.False(t, matches(t, m, `{"a": "x", "content": true}`))
}

// What is before and after a part of a text does not change whether it matches.
func TestPlainTextsMatch(t *testing.T) {
	m := matcherOf(t, `{"content": "text", "b": 1}`)
	parts := map[string]bool{
		``: true, `\n`: true, `\"`: true, `\\`: true, `\/`: true, `\\\"`: true, `\u0416`: true, `\uFFfd`: true, `\u00e9`: true,
		`\ud83c\udf89`: true, `é`: true, `汉`: true, `#`: true, `]`: true, `\n\u0416\t`: true, `\n#`: true, `\u0416]`: true, "\x7f": true,
		`\u001b`: false, `\u009b`: false, `\u007f`: false, `\ud83c`: false, `\udf89\ud83c`: false, `\ud83c\n`: false, `\x`: false, `\u04g6`: false,
		`\u041`: false, "\x1b": false, "\n": false, "\xff": false, "\u009b": false, "\xe6\xb1": false,
	}
	for part, plain := range parts {
		for pad := range 150 {
			for _, before := range []string{"", `\n`, `\u0416\u0416`, `é`} {
				text := before + strings.Repeat("x", pad) + part
				line := `{"content": "` + text + `", "b": 1}`
				n := parse(t, line).Root.Member("content")
				require.Equal(t, plain, n != nil && n.IsPlain(), "%q", text)
				for _, after := range []string{"", "\n", strings.Repeat(" ", 100)} {
					m.Restart()
					template, match, _ := m.Next(element(line + after))
					require.Equal(t, plain, template != nil, "%q", text)
					if plain {
						require.Equal(t, text, line[match.From:match.To])
						require.Equal(t, strings.Contains(text, `\`), match.Has(recognise.HasEscapes), "%q", text)
					}
				}
			}
		}
	}
}

func TestPythonIsNoTemplate(t *testing.T) {
	rec := parse(t, `{'content': 1}`)
	assert.Nil(t, recognise.New("content").Add(rec, varying(rec)))
}

func TestCutElementsAskForMoreText(t *testing.T) {
	whole := `{"a": "x", "content": "text", "b": 1}`
	m := matcherOf(t, whole)
	for range 2 {
		for at := range len(whole) {
			template, _, isCut := m.Next(element(whole[:at]))
			assert.Nil(t, template)
			assert.True(t, isCut, whole[:at])
		}
		template, match, _ := m.Next(element(whole + ", {"))
		require.NotNil(t, template)
		assert.Equal(t, len(whole), match.Size)
	}
	for _, text := range []string{`{"a": [`, `{"a": "x", "content": "\x`, `{"a": "x", "content": "y"]`} {
		_, _, isCut := m.Next(element(text))
		assert.False(t, isCut, text)
	}
}

func TestRecordsOverTheLimitDoNotMatch(t *testing.T) {
	line := `{"content": "text"}`
	m := matcherOf(t, line)
	w := lines(strings.Repeat(line+"\n", 3))
	w.Limit = len(line)
	template, match, _ := m.Next(w)
	require.NotNil(t, template)
	template.Skip(w, match)
	assert.Equal(t, 2, m.Run(w, template, 10, "", nil).Records)
	w.Limit--
	assert.Zero(t, m.Run(w, template, 10, "", nil).Records)
	template, _, _ = m.Next(w)
	assert.Nil(t, template)
}

func TestRuns(t *testing.T) {
	for _, test := range []struct {
		name, after string
		most, want  int
	}{
		{"all", "", 100, 4},
		{"no more than most", "", 3, 3},
		{"none", "", 0, 0},
		{"up to another record", `{"role": 2, "content": "x"}` + "\n", 100, 4},
		{"up to an empty text", `{"role": 1, "content": ""}` + "\n", 100, 4},
		{"up to a text that is not plain", `{"role": 1, "content": "\u001b"}` + "\n", 100, 4},
		{"up to an incomplete line", `{"role": 1, "content": "x"}`, 100, 4},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			t.Run(fmt.Sprintf("%s %q", test.name, end), func(t *testing.T) {
				texts := []string{"a", `b\n`, "ü", `\u00e9` + image}
				record := `{"role": 1, "content": "%s"}`
				m := matcherOf(t, fmt.Sprintf(record, "text"))
				text := fmt.Sprintf(record, "first") + end
				for _, s := range texts {
					text += fmt.Sprintf(record, s) + end
				}
				w := lines(text + test.after)
				template, match, _ := m.Next(w)
				require.NotNil(t, template)
				template.Skip(w, match)

				run := m.Run(w, template, test.most, "", &recognise.Recurring{Longest: math.MaxInt})
				require.Equal(t, test.want, run.Records)
				want := ""
				for _, s := range texts[:test.want] {
					want += parse(t, fmt.Sprintf(record, s)).Root.Member("content").Text()
				}
				assert.Equal(t, want, string(run.Text))
				if run.Records == 0 {
					return
				}
				last := template.SkipRun(w, run)
				assert.Equal(t, run.Records, last.Index)
				assert.Equal(t, run.Records+1, last.Start.Line)
				assert.Equal(t, fmt.Sprintf(record, texts[run.Records-1]), string(last.Data))
				assert.Equal(t, run.Records+1, w.Number)
				assert.Equal(t, run.Records+2, w.At.Line)
			})
		}
	}
}

func TestRunsEndBeforeATextWithTheStop(t *testing.T) {
	record := `{"role": 1, "content": "%s"}` + "\n"
	m := matcherOf(t, fmt.Sprintf(record, "text"))
	w := lines(fmt.Sprintf(record, "a") + fmt.Sprintf(record, "b") + fmt.Sprintf(record, "a #stop") + fmt.Sprintf(record, "c"))
	template, match, _ := m.Next(w)
	require.NotNil(t, template)
	template.Skip(w, match)
	assert.Equal(t, 1, m.Run(w, template, 100, "#stop", nil).Records)
	assert.Equal(t, 3, m.Run(w, template, 100, "", nil).Records)
}

func TestAddDeclinesWhatItCannotMatch(t *testing.T) {
	m := matcherOf(t, `{"content": "text"}`)
	for _, record := range []string{
		`{"content": "other"}`, `{"a": [1], "content": "text"}`, `{"a\"": 1, "content": "text"}`, `{"a": "\"", "content": "text"}`,
		`{"a": "` + strings.Repeat("x", 600) + `", "content": "text"}`, `{"content": "` + strings.Repeat("x", 2<<20) + `", "b": 1}`,
	} {
		rec := parse(t, record)
		assert.Nil(t, m.Add(rec, varying(rec)), "%.100s", record)
	}
	rec := parse(t, `{"other": "text", "b": "x"}`)
	assert.Nil(t, m.Add(rec, rec.Root.Member("other")), "another member may not vary")
}

func TestTemplatesAreLimited(t *testing.T) {
	m := recognise.New("content")
	for i := range 5000 {
		rec := parse(t, fmt.Sprintf(`{"number": %d, "content": "text"}`, i))
		template := m.Add(rec, varying(rec))
		if i < 4096 {
			require.NotNil(t, template)
			assert.Equal(t, i, template.ID)
		} else {
			require.Nil(t, template)
		}
	}
	assert.True(t, matches(t, m, `{"number": 4000, "content": "text"}`))
	assert.False(t, matches(t, m, `{"number": 4096, "content": "text"}`))
}
