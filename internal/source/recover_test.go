package source_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/source"
)

// A mistake in an array costs one record and one problem.
func TestArrayRecovery(t *testing.T) {
	const next = "found the next record, expected this one to be closed first"
	tests := []struct {
		name, input string
		want        []string
	}{
		{"wrong word", `[{"a":tru}, {"b":1}]`, []string{`0/0 1:2 !{"a":tru}`, "  1:7-1:10 invalid-json: found `tru`, expected a value; text needs double quotes", `1/1 1:13 {"b":1}`}},
		{"wrong word before objects", `[{"a":tru, "b":[1,{"c":1},{}]}, {"d":1}]`, []string{
			`0/0 1:2 !{"a":tru, "b":[1,{"c":1},{}]}`, "  1:7-1:10 invalid-json: found `tru`, expected a value; text needs double quotes", `1/1 1:33 {"d":1}`,
		}},
		{"missing closing bracket", `[{"a":1, {"b":2}, {"c":3}]`, []string{`0/0 1:2 !{"a":1,`, "  1:8-1:9 invalid-json: " + next, `1/1 1:10 {"b":2}`, `2/2 1:19 {"c":3}`}},
		{"missing closing bracket inside", `[{"a":{"x":1}, {"b":2}]`, []string{`0/0 1:2 !{"a":{"x":1},`, "  1:14-1:15 invalid-json: " + next, `1/1 1:16 {"b":2}`}},
		{"missing closing bracket over lines", "[\n  {\n    \"a\": 1\n  ,\n  {\n    \"b\": 2\n  }\n]", []string{
			"0/0 2:3 !{\n    \"a\": 1\n  ,", "  4:3-4:4 invalid-json: " + next, "1/1 5:3 {\n    \"b\": 2\n  }",
		}},
		{"missing closing bracket at the end", `[{"a":1}, {"b":2]`, []string{`0/0 1:2 {"a":1}`, `1/1 1:11 !{"b":2]`, "  1:17-1:18 invalid-json: found `]`, expected a comma or `}`"}},
		{"wrong closing bracket", `[{"a":1], {"b":2}]`, []string{`0/0 1:2 !{"a":1]`, "  1:8-1:9 invalid-json: found `]`, expected a comma or `}`", `1/1 1:11 {"b":2}`}},
		{"missing opening bracket", `[{"a":1}, "b":2}, {"c":3}]`, []string{
			`0/0 1:2 {"a":1}`, `1/1 1:11 !"b":2}`, "  1:11-1:14 invalid-json: found the name `\"b\"` outside an object, expected `{` before it", `2/2 1:19 {"c":3}`,
		}},
		{"garbage for the opening bracket", `[{"a":1}, x"b":2}, {"c":3}]`, []string{
			`0/0 1:2 {"a":1}`, `1/1 1:11 !x"b":2}`, "  1:11-1:12 invalid-json: found `x`, expected a value; text needs double quotes", `2/2 1:20 {"c":3}`,
		}},
		{"missing closing quote", `[{"a":"x}, {"b":"y"}, {"c":"z"}]`, []string{
			`0/0 1:2 !{"a":"x}`, "  1:7-1:8 invalid-json: found a string that is never closed (1:7)", `1/1 1:12 {"b":"y"}`, `2/2 1:23 {"c":"z"}`,
		}},
		{"missing opening quote", `[{"a":x"}, {"b":"y"}, {"c":"z"}]`, []string{
			`0/0 1:2 !{"a":x"}`, "  1:7-1:8 invalid-json: found `x`, expected a value; text needs double quotes", `1/1 1:12 {"b":"y"}`, `2/2 1:23 {"c":"z"}`,
		}},
		{"missing quote of a name, brackets in texts", `[{a": "}", "b": "f({\"x\"}, \"y\")"}, {"c": "\"}"}, {"d":"e"}]`, []string{
			`0/0 1:2 !{a": "}", "b": "f({\"x\"}, \"y\")"}`, "  1:3-1:4 invalid-json: found the name `a` without quotes, expected a string in double quotes", `1/1 1:39 {"c": "\"}"}`, `2/2 1:53 {"d":"e"}`,
		}},
		{"missing closing quote over lines", "[\n  {\n    \"a\": \"x\n  },\n  {\n    \"b\": \"}\"\n  }\n]", []string{
			"0/0 2:3 !{\n    \"a\": \"x\n  }", "  3:12-3:12 invalid-json: found a line break inside a string, expected `\"` or `\\n` (3:10)", "1/1 5:3 {\n    \"b\": \"}\"\n  }",
		}},
		{"line break in a string", "[{\"a\":\"x\n}\"}, {}]", []string{
			"0/0 1:2 !{\"a\":\"x\n}\"}", "  1:9-1:9 invalid-json: found a line break inside a string, expected `\"` or `\\n` (1:7)", "1/1 2:6 {}",
		}},
		{"not UTF-8", "[{\"a\":\"\xff\"}, {}]", []string{"0/0 1:2 !{\"a\":\"\xff\"}", "  1:8-1:9 invalid-utf8: found the byte 0xFF, which is not UTF-8", "1/1 1:13 {}"}},

		{"missing comma", `[{} {}]`, []string{`0/0 1:2 {}`, "1:5 ({)", "  1:5-1:6 invalid-json: found `{`, expected a comma or `]`", `1/1 1:5 {}`}},
		{"two commas", `[{},,{}]`, []string{`0/0 1:2 {}`, "1:5 (,)", "  1:5-1:6 invalid-json: found `,`, expected a value", `1/1 1:6 {}`}},
		{"comma alone", `[,]`, []string{"1:2 (,)", "  1:2-1:3 invalid-json: found `,`, expected a value"}},
		{"comma first", `[,{}]`, []string{"1:2 (,)", "  1:2-1:3 invalid-json: found `,`, expected a value", `0/0 1:3 {}`}},
		{"trailing comma", "[{} ,\n]", []string{`0/0 1:2 {}`, "1:5 (,)", "  1:5-1:6 invalid-json: found a trailing comma before `]`"}},
		{"garbage before an element", `[{}, x {}]`, []string{`0/0 1:2 {}`, "1:6 (x)", "  1:6-1:7 invalid-json: found `x`, expected a value; text needs double quotes", `1/1 1:8 {}`}},
		{"garbage behind an element", `[{} x, {}]`, []string{`0/0 1:2 {}`, "1:5 (x)", "  1:5-1:6 invalid-json: found `x`, expected a comma or `]`", `1/1 1:8 {}`}},
		{"garbage for an element", `[{}, x, {}]`, []string{`0/0 1:2 {}`, "1/1 1:6 !x", "  1:6-1:7 invalid-json: found `x`, expected a value; text needs double quotes", `2/2 1:9 {}`}},
		{"garbage for the bracket", `[{}x`, []string{`0/0 1:2 {}`, "1:4 (x)", "  1:4-1:5 invalid-json: found `x`, expected a comma or `]`"}},
		{"one bracket too many", `[{"a":1}}, {}]`, []string{`0/0 1:2 {"a":1}`, "1:9 (})", "  1:9-1:10 invalid-json: found `}`, expected a comma or `]`", `1/1 1:12 {}`}},
		{"elements that are not objects", `[1, "a", [{}], null]`, []string{
			"0/0 1:2 1", "  1:2-1:3 not-an-object: found a number, expected an object", `1/1 1:5 "a"`, "  1:5-1:8 not-an-object: found a string, expected an object",
			"2/2 1:10 [{}]", "  1:10-1:14 not-an-object: found an array, expected an object", "3/3 1:16 null", "  1:16-1:20 not-an-object: found null, expected an object",
		}},
		{"behind the array", `[{}] x`, []string{`0/0 1:2 {}`, "1:6 (x)", "  1:6-1:7 invalid-json: found `x` after a record, expected a new line; the rest of the line is not read"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, source.FormJSON, test.want...)
		})
	}
}

func TestEnvelopeRecovery(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"before the list", `{"id":1,"id":2,"messages":[{}]}`, []string{`1:1 ({"id":1,"id":2,"messages":[)`, "  1:9-1:13 duplicate-key: the key `id` occurs twice in one object (1:2)", "0/messages/0 1:28 {}"}},
		{"behind the list", `{"id":1,"messages":[{}],"id":"\ud800"}`, []string{
			"0/messages/0 1:21 {}", `1:24 (,"id":"\ud800"})`,
			"  1:25-1:29 duplicate-key: the key `id` occurs twice in one object", "  1:31-1:37 lone-surrogate: found `\\ud800`, half of a surrogate pair without its other half",
		}},
		{"two lists", `{"messages":[{}],"messages":[{}]}`, []string{"0/messages/0 1:14 {}", `1:17 (,"messages":[{}]})`, "  1:18-1:28 duplicate-key: the key `messages` occurs twice in one object"}},
		{"broken behind the list", `{"messages":[{}],"x":tru}`, []string{"0/messages/0 1:14 {}", `1:17 (,"x":tru})`, "  1:22-1:25 invalid-json: found `tru`, expected a value; text needs double quotes"}},
		{"missing bracket of the list", `{"messages":[{},"x":1}`, []string{"0/messages/0 1:14 {}", `1:17 ("x":1})`, "  1:17-1:20 invalid-json: found the name `\"x\"` outside an object, expected `{` before it, or `]` before that"}},
		{"one bracket too many", `{"messages":[{}]]}`, []string{"0/messages/0 1:14 {}", `1:17 (])`, "  1:17-1:18 invalid-json: found `]`, expected a comma or `}`"}},
		{"element", `{"messages":[{"a":1, {}]}`, []string{`0/messages/0 1:14 !{"a":1,`, "  1:20-1:21 invalid-json: found the next record, expected this one to be closed first", "1/messages/1 1:22 {}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, source.FormJSON, test.want...)
		})
	}
}

func TestLineRecovery(t *testing.T) {
	const behind = " after a record, expected a new line"
	tests := []struct {
		name, input string
		want        []string
	}{
		{"comma behind every record", "{\"a\":1},\n{\"b\":2},\n", []string{`0 1:1 {"a":1}`, "1:8 (,)", "  1:8-1:9 invalid-json: found `,`" + behind, `1 2:1 {"b":2}`}},
		{"commas between records", "{},{},{}]\n{}", []string{`0 1:1 {}`, "1:3 (,)", "  1:3-1:4 invalid-json: found `,`" + behind, `1 1:4 {}`, `2 1:7 {}`, `3 2:1 {}`}},
		{"one bracket too many", "{}}\n{}", []string{`0 1:1 {}`, "1:3 (})", "  1:3-1:4 invalid-json: found `}`" + behind, `1 2:1 {}`}},
		{"text behind a record", "{} x {}\n{}", []string{`0 1:1 {}`, "1:4 (x)", "  1:4-1:5 invalid-json: found `x`" + behind + "; the rest of the line is not read", `1 2:1 {}`}},
		{"an array among objects", "{\"role\":1}\n[{}]\n", []string{`0 1:1 {"role":1}`, `1 2:1 [{}]`, "  2:1-2:5 not-an-object: found an array, expected an object"}},
		{"an envelope among objects", "{\"role\":1}\n{\"messages\":[{}]}\n", []string{`0 1:1 {"role":1}`, `1 2:1 {"messages":[{}]}`}},
		{"a list after noise", "one\nnull\n[{},\n{}]\n", []string{"0 1:1 !one", "  1:1-1:4 invalid-json: found `one`, expected a value; text needs double quotes", "2:1 (null)", "0/0/0 3:2 {}", "0/1/1 4:1 {}"}},
		{"an envelope after an object without a record", "{\"event\":1}\n{\"messages\":[{}]}\n{\"messages\":[{}]}\n", []string{`0 1:1 {"event":1}`, "0/0/messages/0 2:14 {}", "1/0/messages/0 3:14 {}"}},
		{"no JSON at all", "one two\nthree\n", []string{"0 1:1 !one two", "  1:1-1:4 invalid-json: found `one`, expected a value; text needs double quotes", "2:1 (three)"}},
		{"first line unclosed", "{\"a\":1\n{\"b\":2}\n", []string{`0 1:1 !{"a":1`, "  1:7-1:7 invalid-json: the record ends before it is closed", `1 2:1 {"b":2}`}},
		{"first line unclosed behind a colon", "{\"a\":\n{\"b\":2}\n{}\n", []string{`0 1:1 !{"a":`, "  1:6-1:6 invalid-json: the record ends before it is closed", `1 2:1 {"b":2}`, "2 3:1 {}"}},
		{"first line with an open string", "{\"a\":\"x}\n{\"b\":2}\n", []string{`0 1:1 !{"a":"x}`, "  1:9-1:9 invalid-json: the record ends before it is closed (1:6)", `1 2:1 {"b":2}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, source.FormJSONL, test.want...)
		})
	}
}

func TestRecoveryOverLines(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"missing closing bracket", "{\n  \"a\": {\n    \"x\": 1\n  }\n\n{\n  \"b\": 1\n}\n", []string{
			"0 1:1 !{\n  \"a\": {\n    \"x\": 1\n  }\n", "  5:1-5:1 invalid-json: the record ends before it is closed", "1 6:1 {\n  \"b\": 1\n}",
		}},
		{"wrong word", "{\n  \"a\": tru,\n  \"b\": {\n  }\n}\n{\n  \"b\": 1\n}\n", []string{
			"0 1:1 !{\n  \"a\": tru,", "  2:8-2:11 invalid-json: found `tru`, expected a value; text needs double quotes", "1 6:1 {\n  \"b\": 1\n}",
		}},
		{"indented", "  {\n    \"a\": tru, \"b\":\n{}\n  }\n  {\n  }\n", []string{
			"0 1:3 !{\n    \"a\": tru, \"b\":", "  2:10-2:13 invalid-json: found `tru`, expected a value; text needs double quotes", "1 5:3 {\n  }",
		}},
		{"missing quote", "{\n  \"a\": \"x,\n  \"b\": 1\n}\n{\n}\n", []string{
			"0 1:1 !{\n  \"a\": \"x,", "  2:11-2:11 invalid-json: found a line break inside a string, expected `\"` or `\\n` (2:8)", "1 5:1 {\n}",
		}},
		{"commas between", "{\n},\n{\n},\n{\n}\n]", []string{"0 1:1 {\n}", "2:2 (,)", "  2:2-2:3 invalid-json: found `,` after a record, expected a new line", "1 3:1 {\n}", "2 5:1 {\n}"}},
		{"text between", "{\n}\nsome\ntext {\n{\n}\n", []string{"0 1:1 {\n}", "1 3:1 !some", "  3:1-3:5 invalid-json: found `some`, expected a value; text needs double quotes", "4:1 (text {)", "2 5:1 {\n}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, source.FormJSONL, test.want...)
		})
	}
}

// The next element is found however far it is.
func TestLostArray(t *testing.T) {
	far := strings.Repeat("é ", 1<<20)
	for _, input := range []string{
		`[{"a": ` + far + `, {"b" , {"b":1}, {"c":2}]`,
		`{"messages": [{"a": ` + far + `, {"b" , {"b":1}, {"c":2}], "x": 1}`,
	} {
		for _, in := range []io.Reader{strings.NewReader(input), iotest.HalfReader(strings.NewReader(input))} {
			got := outcomeOf(in, auto)
			require.NoError(t, got.Err)
			require.Len(t, got.Lines, 6)
			require.Contains(t, got.Lines[1], "invalid-json: found `é`, expected a value")
			require.Regexp(t, `^1(/messages)?/1 1:\d+ !{"b" ,`, got.Lines[2])
			require.Regexp(t, `^2(/messages)?/2 1:\d+ {"b":1}$`, got.Lines[4])
			require.Regexp(t, `^3(/messages)?/3 1:\d+ {"c":2}$`, got.Lines[5])
		}
	}
}

// Recovery reads on, without becoming slow, if everything is invalid.
func TestManyMistakes(t *testing.T) {
	const times = 20_000
	for name, again := range map[string]string{
		"missing brackets": `{"a":1, `, "missing quotes": `{"a":"x}, `, "wrong brackets": `{"a":[1}], `,
		"open arrays": `{"k":[1, `, "commas": `,`, "words": `x `, "names": `"a": 1}, `,
	} {
		t.Run(name, func(t *testing.T) {
			got := outcomeOf(strings.NewReader("["+strings.Repeat(again, times)+`{"end":1}]`), auto)
			require.NoError(t, got.Err)
			require.NotEmpty(t, got.Lines)
			require.LessOrEqual(t, len(got.Lines), 2*times+2)
		})
	}
}
