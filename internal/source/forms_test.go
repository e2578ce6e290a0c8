package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
)

var auto = source.Options{Name: source.Stdin}

func TestForms(t *testing.T) {
	const jsonForm, jsonl = source.FormJSON, source.FormJSONL
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"nothing", "", jsonl, nil},
		{"blank lines only", " \r\n\n\t", jsonl, nil},

		{"JSON Lines", "{\"a\":1}\n{\"b\":2}\n", jsonl, []string{`0 1:1 {"a":1}`, `1 2:1 {"b":2}`}},
		{"no last newline", "{\"a\":1}\n{\"b\":2}", jsonl, []string{`0 1:1 {"a":1}`, `1 2:1 {"b":2}`}},
		{"CRLF, blank lines, spaces", "\n\r\n {\"a\":1} \r\n\r\n\t{\"b\":2}\r\n\n", jsonl, []string{`0 3:2 {"a":1}`, `1 5:2 {"b":2}`}},
		{"one object on a line", "{\"a\":1}\n", jsonl, []string{`0 1:1 {"a":1}`}},
		{
			"several on a line", `{"a":1}{"b":2} {"c":3}` + "\n" + `{"d":4}`, jsonl,
			[]string{`0 1:1 {"a":1}`, `1 1:8 {"b":2}`, `2 1:16 {"c":3}`, `3 2:1 {"d":4}`},
		},
		{"columns count code points", `{"é":"汉"}{"🎉":1}{}`, jsonl, []string{`0 1:1 {"é":"汉"}`, `1 1:10 {"🎉":1}`, `2 1:17 {}`}},

		{"object over lines", "{\n  \"a\": 1\n}\n", jsonForm, []string{"0 1:1 {\n  \"a\": 1\n}"}},
		{
			"objects over lines", "{\n  \"a\": 1\n}\n{\n  \"b\": [\n    2\n  ]\n}{\"c\":3}\n\n{ }", jsonl,
			[]string{"0 1:1 {\n  \"a\": 1\n}", "1 4:1 {\n  \"b\": [\n    2\n  ]\n}", `2 8:2 {"c":3}`, "3 10:1 { }"},
		},
		{"name and value apart", "{\"a\":\n1}\n{\"b\":2}\n", jsonl, []string{"0 1:1 {\"a\":\n1}", `1 3:1 {"b":2}`}},

		{"array", `[{"a":1}, {"b":2}]`, jsonForm, []string{`0/0 1:2 {"a":1}`, `1/1 1:11 {"b":2}`}},
		{"array over lines", "[\n  {\"a\":1},\n  {\n    \"b\":2\n  }\n]\n", jsonForm, []string{`0/0 2:3 {"a":1}`, "1/1 3:3 {\n    \"b\":2\n  }"}},
		{"empty array", "[ ]\n", jsonForm, nil},
		{
			"two arrays over lines", "[\n{\"a\":1}\n]\n[\n{\"b\":2},{}\n]\n{\"messages\":[{}]} {\"c\":3}", jsonForm,
			[]string{`0/0 2:1 {"a":1}`, `1/0/0 5:1 {"b":2}`, `1/1/1 5:9 {}`, `2/0/messages/0 7:14 {}`, `3/0 7:19 {"c":3}`},
		},

		{"envelope", `{"messages": [{"a":1}, {"b":2}]}`, jsonForm, []string{`0/messages/0 1:15 {"a":1}`, `1/messages/1 1:24 {"b":2}`}},
		{"envelope with more keys", `{"id": {"messages": [0]}, "messages": [{"a":1}], "x": [2]}`, jsonForm, []string{`0/messages/0 1:40 {"a":1}`}},
		{"envelope over lines", "{\n  \"id\": 1,\n  \"messages\": [\n    {\"a\":1}\n  ],\n  \"x\": 2\n}\n", jsonForm, []string{`0/messages/0 4:5 {"a":1}`}},
		{"escaped name", `{"mess\u0061ges": [{"a":1}]}`, jsonForm, []string{`0/messages/0 1:20 {"a":1}`}},
		{"envelope of nothing", `{"messages": []}`, jsonForm, nil},
		{"messages that are not a list", `{"messages": 1}`, jsonl, []string{`0 1:1 {"messages": 1}`}},

		{
			"an array per line", "[{\"a\":1},{}]\n\n[{\"b\":2}]\n[]\n[{}]", jsonl,
			[]string{`0/0/0 1:2 {"a":1}`, `0/1/1 1:10 {}`, `1/0/0 3:2 {"b":2}`, `3/0/0 5:2 {}`},
		},
		{
			"an envelope per line", "{\"id\":1,\"messages\":[{\"a\":1}]}\n{\"messages\":[{}],\"id\":2}\n", jsonl,
			[]string{`0/0/messages/0 1:21 {"a":1}`, `1/0/messages/0 2:14 {}`},
		},
		{"an object among conversations", "[{\"a\":1}]\n[{\"a\":2}]\n{\"b\":2}\n", jsonl, []string{`0/0/0 1:2 {"a":1}`, `1/0/0 2:2 {"a":2}`, `2/0 3:1 {"b":2}`}},
		{"an array among records", "[{\"a\":1}]\n{\"b\":2}\n", jsonl, []string{
			`0 1:1 [{"a":1}]`, "  1:1-1:10 not-an-object: found an array, expected an object", `1 2:1 {"b":2}`,
		}},
		{"arrays on one line", "[{\"a\":1}] [{}]\n", jsonl, []string{`0/0/0 1:2 {"a":1}`, `1/0/0 1:12 {}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, test.form, test.want...)
		})
	}
}

// An envelope with much before its list is scanned whole first. Its records and
// faults are the same as those of any envelope.
func TestEnvelopeBeyondWindow(t *testing.T) {
	title := strings.Repeat("é", 40_000) // from column 11 to 40010
	one := `{"title": "` + title + `", "messages": [{"a":1}, 2], "x": 1, "x": 2}`
	tail := `1:40039 (, "x": 1, "x": 2})`
	twice := "  1:40049-1:40052 duplicate-key: the key `x` occurs twice in one object (1:40041)"
	first, second := `1:40028 {"a":1}`, `1:40037 2`
	wrong := "  1:40037-1:40038 not-an-object: found a number, expected an object"
	t.Run("single", func(t *testing.T) {
		requireOutcome(t, one, auto, source.FormJSON, "0/messages/0 "+first, "1/messages/1 "+second, wrong, tail, twice)
	})
	t.Run("over lines", func(t *testing.T) {
		requireOutcome(t, "{\n\"title\": \""+title+"\",\n\"messages\":[{\"a\":1}]\n}\n[{}]", auto, source.FormJSON,
			`0/messages/0 3:13 {"a":1}`, `1/0/0 5:2 {}`)
	})
	t.Run("per line", func(t *testing.T) {
		requireOutcome(t, one+"\n[{}]\n", auto, source.FormJSONL, "0/0/messages/0 "+first, "0/1/messages/1 "+second, wrong,
			"0/"+tail, twice, "1/0/0 2:2 {}")
	})
}

func TestForcedForms(t *testing.T) {
	jsonOnly, linesOnly := source.Options{Form: source.FormJSON}, source.Options{Form: source.FormJSONL}
	tests := []struct {
		name, input string
		options     source.Options
		want        []string
	}{
		{"object", "{\"a\":\n1}", jsonOnly, []string{"0 1:1 {\"a\":\n1}"}},
		{"array", `[{}]`, jsonOnly, []string{"0/0 1:2 {}"}},
		{"envelope", `{"messages":[{}]}`, jsonOnly, []string{"0/messages/0 1:14 {}"}},
		{"scalar", ` "a" `, jsonOnly, []string{`0 1:2 "a"`, "  1:2-1:5 not-an-object: found a string, expected an object"}},
		{"no JSON", `hello`, jsonOnly, []string{"0 1:1 !hello", "  1:1-1:6 invalid-json: found `hello`, expected a value; text needs double quotes"}},
		{"more behind", "{}\n{}\nx", jsonOnly, []string{"0 1:1 {}", "2:1 ({}\nx)", "  2:1-2:2 invalid-json: found `{` after the JSON text, expected nothing after it"}},
		{"more behind an array", "[{}]]", jsonOnly, []string{"0/0 1:2 {}", "1:5 (])", "  1:5-1:6 invalid-json: found `]` after the JSON text, expected nothing after it"}},

		{"object over lines", "{\"a\":\n1}", linesOnly, []string{
			"0 1:1 {\"a\":\n1}",
		}},
		{"one array", `[{}]`, linesOnly, []string{"0/0/0 1:2 {}"}},
		{"one envelope", `{"messages":[{}]}`, linesOnly, []string{"0/0/messages/0 1:14 {}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, test.options, test.options.Form, test.want...)
		})
	}
}
