package source_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source"
)

func TestEvents(t *testing.T) {
	a, b := `0 1:7 {"a":1}`, `1 3:7 {"b":2}`
	tests := []struct {
		name, input string
		want        []string
	}{
		{"events", "data: {\"a\":1}\n\ndata: {\"b\":2}\n\n", []string{a, b}},
		{"without a space", "data:{\"a\":1}\n\ndata:{\"b\":2}\n\n", []string{`0 1:6 {"a":1}`, `1 3:6 {"b":2}`}},
		{"carriage returns and line feeds", "data: {\"a\":1}\r\n\r\ndata: {\"b\":2}\r\n\r\n", []string{a, b}},
		{"mixed ends", ": x\ndata: {\"a\":1}\r\n\ndata: {\"b\":2}\n\r", []string{`0 2:7 {"a":1}`, `1 4:7 {"b":2}`}},
		{"no last empty line", "data: {\"a\":1}\n\ndata: {\"b\":2}", []string{a, b}},
		{"no empty lines", "data: {\"a\":1}\ndata: {\"b\":2}\n", []string{a, `1 2:7 {"b":2}`}},
		{"comments and other fields", ": ping\nretry: 10\nid: 7\ndata: {\"a\":1}\nid\n:\n\n\n", []string{`0 4:7 {"a":1}`}},
		{"names", "event: one\ndata: {\"a\":1}\n\nevent: two\nid: 1\ndata: {\"b\":2}\n\ndata: {\"c\":3}\n\n", []string{
			`0 2:7 one {"a":1}`, `1 6:7 two {"b":2}`, `2 8:7 {"c":3}`,
		}},
		{"done", "data: {\"a\":1}\n\ndata: [DONE]\n\n", []string{a}},
		{"empty data", "data\n\ndata:\n\ndata: {\"a\":1}\n\ndata: \n", []string{`0 5:7 {"a":1}`}},
		{"over lines", "data: {\ndata:   \"a\":\n: x\ndata: 1}\n\ndata: {\"b\":2}\n\n", []string{"0 1:7 {\n        \"a\":\n   \n      1}", `1 6:7 {"b":2}`}},
		{"Python", "data: {'a': True}\n\ndata: {'b': 2}\n\n", []string{
			"0 1:7 {'a': True}", "  1:7-1:18 python: records are Python literals, not JSON", "1 3:7 {'b': 2}",
		}},
		{"byte order mark", "\ufeffdata: {\"a\":1}\n\n", []string{
			"1:1 (\ufeff)", "  1:1-1:2 bom: found a byte order mark (U+FEFF), which JSON does without", `0 1:8 {"a":1}`,
		}},

		{"no JSON", "data: hello\n\ndata: {\"b\":2}\n\n", []string{
			"0 1:7 !hello", "  1:7-1:12 invalid-json: found `hello`, expected a value; text needs double quotes", b,
		}},
		{"mistake over lines", "data: {\"x\":0,\ndata:  \"a\": tru}\ndata: x\n\ndata: {\"b\":2}\n\n", []string{
			`0 1:7 !{"x":0,`, "  1:14-1:14 invalid-json: the record ends before it is closed", `1 5:7 {"b":2}`,
		}},
		{"torn", "data: {\"a\":\n\ndata: {\"b\":2}\n\n", []string{
			`0 1:7 !{"a":`, "  1:12-1:12 invalid-json: the record ends before it is closed", b,
		}},
		{"torn without an empty line", "data: {\"a\":1,\ndata: {\"b\":2}\n\n", []string{
			`0 1:7 !{"a":1,`, "  1:14-1:14 invalid-json: the record ends before it is closed", `1 2:7 {"b":2}`,
		}},
		{"cut off", "data: {\"a\":1}\n\ndata: {\"b", []string{a, `1 3:7 !{"b`, "  3:10-3:10 truncated: the input ends before the record is closed"}},
		{"cut off over lines", "data: {\ndata: \"b\":\n\n", []string{"0 1:7 !{", "  1:8-1:8 invalid-json: the record ends before it is closed"}},
		{"data without its name", "data: {\"a\":1}\n\n{\"b\":2}\n\ndat: {\"c\":3}\n\ndata: {\"d\":4}\n", []string{
			a, `1 3:1 !{"b":2}`, "  3:1-3:2 invalid-form: found a record without `data:` before it; consumers of the events skip this line",
			`2 5:1 !dat: {"c":3}`, "  5:1-5:7 invalid-form: found `dat:` before a record, expected `data:`; consumers of the events skip this line",
			`3 7:7 {"d":4}`,
		}},
		{"more on the line", "data: {\"a\":1} x\n\ndata: {\"b\":2}\n\n", []string{
			a, "1:15 (x)", "  1:15-1:16 invalid-json: found `x` after a record, expected a new line; the rest of the line is not read", b,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			requireOutcome(t, test.input, auto, source.FormSSE, test.want...)
		})
	}
}
