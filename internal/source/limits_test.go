package source_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/dev/exhaustive"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/text"
	"github.com/lmclint/lmclint/internal/source/value"
)

func TestTooLarge(t *testing.T) {
	limit := source.Options{Name: source.Stdin, MaxRecordBytes: 10}
	const detail = " too-large: the record is larger than 10 bytes"
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"just small enough", `{"a":"bc"}`, source.FormJSONL, []string{`0 1:1 {"a":"bc"}`}},
		{"line", `{"a":"bcdefgh}{"}` + "\n{}", source.FormJSONL, []string{`0 1:1 !{"a":"bcde`, "  1:1-1:2" + detail, "1 2:1 {}"}},
		{"element", `[{"a":"bcdefgh}]"}, {}]`, source.FormJSON, []string{`0/0 1:2 !{"a":"bcde`, "  1:2-1:3" + detail, "1/1 1:21 {}"}},
		{"number", `[12345678901, {}]`, source.FormJSON, []string{`0/0 1:2 !1234567890`, "  1:2-1:3" + detail, "1/1 1:15 {}"}},
		{"string", `["12345678901", {}]`, source.FormJSON, []string{`0/0 1:2 !"123456789`, "  1:2-1:3" + detail, "1/1 1:17 {}"}},
		{"over lines", "{\n\"a\":\n\"bcdefgh\"\n}\n{\n}", source.FormJSONL, []string{"0 1:1 !{\n\"a\":\n\"bc", "  1:1-1:2" + detail, "1 5:1 {\n}"}},
		{"in a code point", `{"a":"bcdéfgh"}` + "\n{}", source.FormJSONL, []string{`0 1:1 !{"a":"bcd`, "  1:1-1:2" + detail, "1 2:1 {}"}},
		{
			"of which the first bytes are wrong", `{"a":tru, "b":1}` + "\n{}", source.FormJSONL,
			[]string{`0 1:1 !{"a":tru, "b":1}`, "  1:6-1:9 invalid-json: found `tru`, expected a value; text needs double quotes", "1 2:1 {}"},
		},
		{"behind the list", `{"messages":[{}], "a":"bcdefgh"}`, source.FormJSON, []string{"0/messages/0 1:14 {}", `1:17 (, "a":"bcd)`, "  1:17-1:18" + detail}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, limit, test.form, test.want...)
		})
	}
}

func TestTooDeep(t *testing.T) {
	limit := source.Options{MaxDepth: 2}
	const detail = " too-deep: arrays and objects are nested more than 2 deep"
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"just flat enough", `{"a":{}}`, source.FormJSONL, []string{`0 1:1 {"a":{}}`}},
		{"line", "{\"a\":{\"b\":{}}}\n{}", source.FormJSONL, []string{`0 1:1 !{"a":{"b":{}}}`, "  1:11-1:12" + detail, "1 2:1 {}"}},
		{"element", `[{"a":[["]"]]}, {}]`, source.FormJSON, []string{`0/0 1:2 !{"a":[["]"]]}`, "  1:8-1:9" + detail, "1/1 1:17 {}"}},
		{"over lines", "{\n\"a\":{\"b\":[\n]}}\n{}", source.FormJSONL, []string{"0 1:1 !{\n\"a\":{\"b\":[", "  2:10-2:11" + detail, "1 4:1 {}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, limit, test.form, test.want...)
		})
	}
}

func TestDepthByDefault(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	for depth, options := range map[int]source.Options{
		source.DefaultMaxDepth: auto, value.MaxDepth: {MaxDepth: 1 << 40},
	} {
		options.Form = source.FormJSONL
		fits := outcomeOf(strings.NewReader(`{"a":`+nested(depth-1)+"}"), options)
		require.Len(t, fits.Lines, 1)
		deep := outcomeOf(strings.NewReader(`{"a":`+nested(depth)+"}\n{}"), options)
		require.Len(t, deep.Lines, 3)
		require.Contains(t, deep.Lines[1], fmt.Sprintf("too-deep: arrays and objects are nested more than %d deep", depth))
	}
}

// A tree is many times the size of its text, so values are limited as well.
func TestTooManyValues(t *testing.T) {
	list := func(n int) string { return `{"a":[` + strings.Repeat("0,", n-1) + "0]}" }
	fits := outcomeOf(strings.NewReader(list(value.MaxValues-2)), auto)
	require.Len(t, fits.Lines, 1)
	for _, input := range []string{list(value.MaxValues) + "\n{}", "[" + list(value.MaxValues) + "\n,{}]"} {
		got := outcomeOf(strings.NewReader(input), auto)
		require.Len(t, got.Lines, 3)
		require.Contains(t, got.Lines[1], "too-large: the record has more than 131,072 values")
		require.True(t, strings.HasSuffix(got.Lines[2], " {}"))
	}
}

func TestManyKeys(t *testing.T) {
	var record strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&record, `,"k%d":0`, i)
	}
	got := outcomeOf(strings.NewReader(`{"k99999":0`+record.String()+"}"), auto)
	require.Len(t, got.Lines, 2)
	require.Contains(t, got.Lines[1], "duplicate-key: the key `k99999` occurs twice in one object (1:2)")
}

func TestManyProblems(t *testing.T) {
	var record strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&record, `,"k%d":"\ud800","k%d":0`, i, i)
	}
	got := outcomeOf(strings.NewReader("{"+record.String()[1:]+"}"), auto)
	require.Len(t, got.Lines, 1+value.MaxProblems)
	require.Contains(t, got.Lines[value.MaxProblems], "; the record has 1900 more problems that are not listed")
}

// long gives head, then again and again the same text, then tail.
func long(head, again, tail string) io.Reader {
	return io.MultiReader(strings.NewReader(head), &repeated{text: again, left: longBytes / len(again) * len(again)}, strings.NewReader(tail))
}

// How long a long input is, and how little memory it must do with, in bytes.
const (
	longBytes = 10 << 20
	fewBytes  = 6 << 20
)

type repeated struct {
	text     string
	at, left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.text[r.at:])
	n = min(n, r.left)
	r.at = (r.at + n) % len(r.text)
	r.left -= n
	return n, nil
}

// Memory is bounded by a record, not by the input.
func TestMemory(t *testing.T) {
	element := `{"role": "assistant", "content": "words"},`
	times := longBytes / len(element)
	object := element[:len(element)-1]
	tests := []struct {
		name    string
		in      io.Reader
		records int
	}{
		{"array on one line", long("[", element, "{}]"), times + 1},
		{"envelope on one line", long(`{"messages":[`, element, "{}]}"), times + 1},
		{"lines", long("", object+"\n", ""), times},
		{"objects on one line", long("", object+" ", ""), times},
		{"blank lines", long("", "\n \r\n\t\n", "{}"), 1},
		{"white space in an array", long("[{}", " \n", "]"), 1},
		{"separators", long("[{}", ",", "]"), 1},
		{"lost array", long(`[{"a":"}`, `,"b" `, "]"), 1},
		{"lost array that closes nothing", long(`[{"a" `, `{`, ""), 1},
		{"line that is wrong early", long("x", "garbage ", "\n{}"), 2},
		{"stray text", long("{} x", "garbage ", "\n{}"), 2},
		{"value over lines that is wrong early", long("{\n\"a\":\nx", "garbage \n", "\n{}"), 2},
	}
	for _, test := range exhaustive.Sample(tests, 3) {
		t.Run(test.name, func(t *testing.T) {
			before := heap()
			reader := text.NewReader(test.in, auto)
			records := 0
			most := before
			for {
				rec, err := reader.Next()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				if !rec.IsGap {
					records++
				}
				if records%(times/4) == 1 {
					most = max(most, heap())
				}
			}
			most = max(most, heap())
			runtime.KeepAlive(reader)
			require.Equal(t, test.records, records)
			require.Less(t, most-before, uint64(fewBytes))
		})
	}
}

// heap is how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
