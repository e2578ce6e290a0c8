package embedded_test

import (
	"bytes"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

func TestLogs(t *testing.T) {
	const log = source.FormLog
	const stray = "this line contains no record"
	tests := []struct {
		name, input string
		want        []string
	}{
		{
			"prefix with a time", "2025-02-15 12:00:01 DEBUG Sending formatted chunk: {\"a\":1}\n2025-02-15 12:00:02 DEBUG Sending formatted chunk: {\"b\":2}\n",
			[]string{`0 1:52 {"a":1}`, `1 2:52 {"b":2}`},
		},
		{"time in brackets", "[2025-02-15 12:00:01] {\"a\":1}\n[2025-02-15 12:00:02] {\"b\":2}\n", []string{`0 1:23 {"a":1}`, `1 2:23 {"b":2}`}},
		{"level in brackets", "[info] {\"a\":1}\n[info] {\"b\":2}\n", []string{`0 1:8 {"a":1}`, `1 2:8 {"b":2}`}},
		{"logging.basicConfig", "INFO:root:{\"a\":1}\nINFO:root:{\"b\":2}\n", []string{`0 1:11 {"a":1}`, `1 2:11 {"b":2}`}},
		{"docker compose", "web-1  | {\"a\":1}\nweb-1  | {\"b\":2}\n", []string{`0 1:10 {"a":1}`, `1 2:10 {"b":2}`}},
		{"Kubernetes", "2025-02-15T12:00:01.000Z stdout F {\"a\":1}\n", []string{`0 1:35 {"a":1}`}},
		{
			"Kubernetes, a split line",
			"2025-02-15T12:00:01.000Z stdout F {\"a\":1}\n2025-02-15T12:00:02.000Z stdout P {\"b\n2025-02-15T12:00:02.000Z stdout P \":\n" +
				"2025-02-15T12:00:02.000Z stdout F 2}\n2025-02-15T12:00:03.000Z stdout F {\"c\":3}\n",
			[]string{`0 1:35 {"a":1}`, `1 2:35 {"b":2}`, `2 5:35 {"c":3}`},
		},
		{
			"Kubernetes, split text without a record", "2025-02-15T12:00:01.000Z stderr P so\n2025-02-15T12:00:01.000Z stderr F me\n2025-02-15T12:00:02.000Z stdout F {\"a\":1}\n",
			[]string{`0 3:35 {"a":1}`, "4:1 ()", "  1:1-1:37 stray: " + stray},
		},
		{
			"Kubernetes, a line without its last part", "2025-02-15T12:00:01.000Z stdout P {\"a\"\n2025-02-15T12:00:02.000Z stderr F b\n2025-02-15T12:00:02.000Z stdout F {\"c\":3}\n",
			[]string{
				`0 1:35 !{"a"`, "  1:39-1:39 invalid-json: the record ends before it is closed", `1 3:35 {"c":3}`, "4:1 ()", "  2:1-2:36 stray: " + stray,
			},
		},
		{"journald", "Feb 15 12:00:01 host app[123]: {\"a\":1}\n", []string{`0 1:32 {"a":1}`}},
		{"colour", "\x1b[32m2025-02-15 12:00:01\x1b[0m \x1b[1m{\"a\":1}\x1b[0m\n", []string{"0 1:34 {\"a\":1}"}},
		{"different prefixes", "12:00:01 a: {\"a\":1}\n{\"b\":2}\nDEBUG {\"c\":3}\n", []string{`0 1:13 {"a":1}`, `1 2:1 {"b":2}`, `2 3:7 {"c":3}`}},
		{"text behind", "DEBUG got {\"a\":1} from {\"b\":2} (2 ms)\n", []string{`0 1:11 {"a":1}`, `1 1:24 {"b":2}`}},
		{
			"Python", "DEBUG chunk: {'a': True}\nDEBUG chunk: {'b': \"it's\"}\nDEBUG chunk: {\"c\": null}\n",
			[]string{`0 1:14 {'a': True}`, "  1:14-1:25 python: records are Python literals, not JSON", `1 2:14 {'b': "it's"}`, `2 3:14 {"c": null}`},
		},
		{
			"stray lines", "INFO start\nINFO {\"a\":1}\n\nINFO stop\nINFO: waiting [1]\n",
			[]string{`0 2:6 {"a":1}`, "6:1 ()", "  1:1-1:11 stray: 3 lines contain no record, this is the first of them"},
		},
		{
			"lists and templates", "INFO {\"a\":1}\nINFO [{'b': 2}, {'c': 3}]\n",
			[]string{`0 1:6 {"a":1}`, `1/0/0 2:7 {'b': 2}`, "  2:7-2:15 python: records are Python literals, not JSON", `1/1/1 2:17 {'c': 3}`},
		},
		{
			"a program's objects", "INFO {\"a\":1}\nINFO {'b': <object at 0x7f>, 'c': {'d': 1}}\n",
			[]string{`0 1:6 {"a":1}`, "3:1 ()", "  2:1-2:44 stray: " + stray},
		},
		{
			"broken record", "INFO {\"a\":1}\nINFO {\"b\":2\nINFO {\"c\":3}\nINFO {\"d\":",
			[]string{
				`0 1:6 {"a":1}`, `1 2:6 !{"b":2`, "  2:12-2:12 invalid-json: the record ends before it is closed", `2 3:6 {"c":3}`,
				`3 4:6 !{"d":`, "  4:11-4:11 truncated: the input ends before the record is closed",
			},
		},
		{
			"mitmdump", "[12:00:01.123] 127.0.0.1:51130 -> WebSocket text message -> 127.0.0.1:8000/\n    {\n        \"a\": 1\n    }\n\n" +
				"[12:00:01.223] 127.0.0.1:51130 <- WebSocket text message <- 127.0.0.1:8000/\n    {\"b\": 2}\n[12:00:02.000] client disconnect\n{\"c\": 3}\n",
			[]string{
				"0 2:5 > {\n        \"a\": 1\n    }", `1 7:5 < {"b": 2}`, `2 9:1 {"c": 3}`, "10:1 ()", "  8:1-8:33 stray: " + stray,
			},
		},
		{"numbered lines", "     1\t{\"a\":1}\n    10\t{\"b\":2}\n", []string{`0 1:8 {"a":1}`, `1 2:8 {"b":2}`}},
		{"the same words", "pod-1 server {\"a\":1}\npod-1 server {\"b\":2}\n", []string{`0 1:14 {"a":1}`, `1 2:14 {"b":2}`}},
		{"coloured level", "\x1b[32mINFO\x1b[0m {\"a\":1}\n", []string{`0 1:15 {"a":1}`}},
		{"stray lines first", "Loading\nReady\nDEBUG {\"a\":1}\nDEBUG {\"b\":1}", []string{
			`0 3:7 {"a":1}`, `1 4:7 {"b":1}`, "4:14 ()", "  1:1-1:8 stray: 2 lines contain no record, this is the first of them",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { sourcetest.RequireOutcome(t, test.input, source.Options{}, log, test.want...) })
	}
}

// What is JSON Lines stays JSON Lines, whatever is wrong with it.
func TestNoLogs(t *testing.T) {
	sourcetest.RequireOutcome(t, "x{\"a\":1}\n{\"b\":2}\n", source.Options{}, source.FormJSONL,
		"0 1:1 !x{\"a\":1}", "  1:1-1:2 invalid-json: found `x`, expected a value; text needs double quotes", `1 2:1 {"b":2}`)
	sourcetest.RequireOutcome(t, "{\"a\":1}\nDEBUG {\"b\":2}\n", source.Options{}, source.FormJSONL,
		`0 1:1 {"a":1}`, "1 2:1 !DEBUG {\"b\":2}", "  2:1-2:6 invalid-json: found `DEBUG`, expected a value; text needs double quotes")
	sourcetest.RequireOutcome(t, "note: {\"a\":1}\n{\"b\":2}\n", source.Options{}, source.FormJSONL,
		"0 1:1 !note: {\"a\":1}", "  1:1-1:5 invalid-json: found `note`, expected a value; text needs double quotes", `1 2:1 {"b":2}`)
}

func TestPages(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{"a fence", "# Title\n\n```json theme={null}\n{\"a\":1}\n{\"b\":2}\n```\n", []string{`0 4:1 {"a":1}`, `1 5:1 {"b":2}`}},
		{"tildes, never closed", "## Title\n~~~~\n{\"a\":1}", []string{`0 3:1 {"a":1}`}},
		{"indented", "- Text\n\n    ```\n    {'a': True}\n    ```\n", []string{`0 4:5 {'a': True}`}},
		{"over lines", "```\n{\n  \"a\": 1,\n  # why\n  \"b\": True,\n}\n```\n", []string{"0 2:1 {\n  \"a\": 1,\n  # why\n  \"b\": True,\n}"}},
		{"a list", "```\n[\n  {\"a\":1}, # one\n  {\"b\":2}\n  {\"c\":3}\n]\n[{\"d\":4},{\"e\":5}]\n```\n", []string{
			`0 3:3 {"a":1}`, `1 4:3 {"b":2}`, `2 5:3 {"c":3}`, `3 7:2 {"d":4}`, `4 7:10 {"e":5}`,
		}},
		{"an envelope", "```\n{\"messages\": [{\"a\":1},\n{\"b\":2}], \"x\": {\"y\": 1}}\n```\n", []string{`0 2:15 {"a":1}`, `1 3:1 {"b":2}`}},
		{
			"a plain page", "First we say a few words.\nThen we say what it is about:\n{\"a\":1}\n# more\n{\"b\":True}\nAnd at the end we say goodbye.\n",
			[]string{`0 3:1 {"a":1}`, `1 5:1 {"b":True}`},
		},
		{"programs", "```js\n{\"a\": a}\n{\"a\", b}\n{\"c\": \"x\" + y}\n{\"d\": f(x)}\n{ x }\n[x]\n{\"e\": ...}\n{\"f\": 1, ...rest}\n{\"g\": `x`}\n{\"h\": 1}\n```\n", []string{
			"0 3:1 !{\"a\", b}", "  3:5-3:6 invalid-json: found `,`, expected a colon after the name", `1 11:1 {"h": 1}`,
		}},
		{"a template", "```\n{\n  \"a\": \"<a>\", # x\n  \"b\": \"<b>\" # y\n  \"c\": \"<c>\",\n}\n```\n", nil},
		{"misspelled", "```\n{\"a\": ture}\n```\n", []string{"0 2:1 !{\"a\": ture}", "  2:7-2:11 invalid-json: found `ture`, expected a value; text needs double quotes"}},
		{"prose with records", "## Title\nThe object {\"a\":1} is one.\n> {\"b\":2}\n<p>{\"c\":3}</p>\n", []string{`0 3:3 {"b":2}`}},
		{
			"quotations", "> Look:\n>\n> ```\r\n> > {\"a\":1}\r\n>{\r\n  >   'b': None\r\n> }\n> ```\n\n> {\"c\":\n> \"d\n\n> {\"e\": 1}\n",
			[]string{
				`0 4:5 {"a":1}`, "1 5:2 {\n  'b': None\n}", "2 10:3 !{\"c\":\n\"d", "  11:5-11:5 invalid-json: the record ends before it is closed (11:3)",
				`3 13:3 {"e": 1}`,
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormMarkdown, test.want...)
		})
	}
}

// Own decides what is a record; what is not one counts for nothing.
func TestOwn(t *testing.T) {
	own := source.Options{IsRecord: func(r *source.Record) bool { return bytes.Contains(r.Data, []byte(`"a"`)) }}
	sourcetest.RequireOutcome(t, "INFO {'b': 1}\nINFO {\"a\": 1}\nINFO {\"b\n", own, source.FormLog,
		`0 2:6 {"a": 1}`, "4:1 ()", "  1:1-1:14 stray: 2 lines contain no record, this is the first of them")
	sourcetest.RequireOutcome(t, "```\n{\"b\": 1}\n{\"a\": 1}\n{\"b\": 1\n{\"a\": 2}\n```\n", own, source.FormMarkdown, `0 3:1 {"a": 1}`, `1 5:1 {"a": 2}`)
	sourcetest.RequireOutcome(t, "```\n{\"b\": 1}\n```\n", own, source.FormMarkdown)
}

// FuzzAmong reads anything as a log and as a page.
func FuzzAmong(f *testing.F) {
	for _, seed := range append([]string{
		"INFO {\"a\":1}\nINFO x {'b': True} {\"c\": <x>}\nINFO [{'d': 1}]\n", "## x\n```\n{\n# y\n\"a\": 1}\n[\n{\"b\":2}, {\"messages\":[{\"c\":3},\n{}]}\n",
		"[12:00:01] {\"a\":\"\xff\"}\n\x1b[1m{\"b\":2}", "```\n{\"a\": ...}\n{\"a\": \"<b>\", \"c\": \"<d>\" \"e\"}\n{\"a\": {\n", "a: {\"x\":1}\nb= {\"y\":2}\n",
		">```>{\"\n>}>",
	}, sourcetest.ReaderSeeds...) {
		f.Add([]byte(seed), byte(0), uint16(0))
		f.Add([]byte(seed), byte(1), uint16(20))
		f.Add([]byte(seed), byte(2), uint16(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, form byte, limit uint16) {
		sourcetest.RequireSound(t, data, source.Options{
			Form: []source.Form{source.FormAuto, source.FormLog, source.FormMarkdown}[form%3], MaxRecordBytes: int64(limit),
			IsRecord: func(r *source.Record) bool { return !bytes.Contains(r.Data, []byte("z")) },
		})
	})
}
