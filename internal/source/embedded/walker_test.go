package embedded_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

// entry wraps what a connection or an exchange contains into a HAR.
func entry(entries ...string) string {
	return `{"log": {"version": "1.2", "creator": {"name": "x"}, "pages": [{"id": "p"}], "entries": [` + strings.Join(entries, ",") + `]}}`
}

// ofRole takes what has a role for a record.
var ofRole = source.Options{IsRecord: func(r *source.Record) bool { return strings.Contains(string(r.Data), "role") }}

func TestHAR(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{
			"a connection", entry(`{"_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "{\"role\":\"a\"}"},
{"type": "receive", "time": 2, "opcode": 1, "data": "{\"role\":\"b\"}"}]}`),
			[]string{`0/0 1:166 > {"role":"a"}`, `0/1 2:54 < {"role":"b"}`},
		},
		{
			"binary and control frames", entry(`{"_webSocketMessages": [
{"type": "receive", "opcode": 2, "data": "AAEC"},
{"type": "receive", "opcode": 9, "data": ""},
{"type": "receive", "opcode": 1, "data": "{\"role\":\"b\"}"}]}`),
			[]string{`0/0 2:43 < =AAEC`, `0/1 4:43 < {"role":"b"}`},
		},
		{
			"a frame that is no JSON", entry(`{"_webSocketMessages": [
{"type": "receive", "opcode": 1, "data": "{\"role\":\"b\"}"},
{"type": "receive", "opcode": 1, "data": "oops"}]}`),
			[]string{`0/0 2:43 < {"role":"b"}`, "0/1 3:43 < !oops", "  3:43-3:47 invalid-json: found `oops`, expected a value; text needs double quotes"},
		},
		{
			"other connections", entry(`{"_webSocketMessages": [{"type": "send", "opcode": 1, "data": "ping"}, {"type": "send", "opcode": 1, "data": "{}"}]}`,
				`{"_webSocketMessages": []}`, "\n"+`{"_webSocketMessages": [{"type": "send", "opcode": 1, "data": "{\"role\":\"a\"}"}]}`),
			[]string{`0/0 2:64 > {"role":"a"}`},
		},
		{
			"bodies", entry("\n" + `{"request": {"url": "x", "postData": {"mimeType": "application/json", "text": "{\"role\": \"user\"}"}},` + "\n" +
				`"response": {"status": 200, "content": {"size": 9, "mimeType": "text/event-stream", "text": "data: {\"role\": \"a\"}\n\ndata: {}\n\n"}}}`),
			[]string{`0/0 2:80 {"role": "user"}`, `1/0 3:100 {"role": "a"}`, `1/1 3:127 {}`},
		},
		{
			"a body in base64", entry("\n" + `{"response": {"content": {"text": "eyJyb2xlIjogImEifQp7InJvbGUiOiAiYiJ9Cg==", "encoding": "base64"}}}`),
			[]string{`0/0 2:36 {"role": "a"}`, `0/1 2:52 {"role": "b"}`},
		},
		{
			"other bodies", entry(`{"response": {"content": {"mimeType": "text/html; charset=utf-8", "text": "{\"role\": \"a\"}"}}}`,
				`{"response": {"content": {"size": 0}}}`, `{"response": {"content": {"text": "{\"a\": 1}"}}}`, `{"response": {"content": {"text": "%", "encoding": "base64"}}}`),
			nil,
		},
		{
			"cut off", `{"log": {"entries": [{"request": {"a`,
			[]string{"1:35 ()", "  1:35-1:35 truncated: the input ends before the JSON text is closed"},
		},
		{
			"broken", `{"log": {"entries": [{"a": 1} {"b": 2}]}}`,
			[]string{"1:31 ({)", "  1:31-1:32 invalid-json: found `{`, expected a comma or `]`; the rest of the input is not read"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { sourcetest.RequireOutcome(t, test.input, ofRole, source.FormHAR, test.want...) })
	}
}

func TestNotebooks(t *testing.T) {
	tests := []struct {
		name, input string
		want        []string
	}{
		{
			"printed chunks", `{"cells": [{"cell_type": "code", "source": ["print('x')"], "outputs": [{"name": "stdout", "output_type": "stream", "text": [
 "Loading\n",
 "{'a': True, 'b': 'it\\'s'}\n",
 "{'c': None}"]}]}], "nbformat": 4}`,
			[]string{`0 3:3 {'a': True, 'b': 'it\'s'}`, `1 4:3 {'c': None}`},
		},
		{"one string", `{"cells": [{"cell_type": "code", "outputs": [{"text": "{\"a\": 1}\n{\"b\": 2}\n"}]}]}`, []string{`0 1:56 {"a": 1}`, `1 1:68 {"b": 2}`}},
		{
			"a result", `{"nbformat": 4, "cells": [{"outputs": [{"data": {"image/png": "x", "text/plain": ["[{'a': 1},\n", " {'b': 2}]"]}, "output_type": "execute_result"}]}]}`,
			[]string{`0 1:85 {'a': 1}`, `1 1:101 {'b': 2}`},
		},
		{
			"a broken chunk", `{"cells": [{"cell_type": "code", "outputs": [{"text": ["{'a': 1\n", "{'b': 2}\n"]}]}]}`,
			[]string{"0 1:57 !{'a': 1", "  1:64-1:64 invalid-json: the record ends before it is closed", `1 1:70 {'b': 2}`},
		},
		{"nothing printed", `{"cells": [{"cell_type": "markdown", "source": ["{\"a\": 1}"]}], "metadata": {}}`, nil},
		{"other outputs", `{"metadata": {"kernelspec": {}}, "cells": [{"outputs": [{"text": 1}, {"text": []}, {"text": ["x", 2]}, {"data": 1}, 2]}, 3]}`, nil},
		{
			"cut off", `{"cells": [{"cell_type": "code", "outputs": [{"text": ["{'a': 1}\n`,
			[]string{"1:55 ()", "  1:55-1:55 truncated: the input ends before the JSON text is closed"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, source.FormNotebook, test.want...)
		})
	}
}

// A value that is too large is reported and skipped.
func TestLargeBody(t *testing.T) {
	input := entry("\n"+`{"response": {"content": {"text": "`+strings.Repeat("x", 200)+`"}}}`, "\n"+`{"response": {"content": {"text": "{\"role\":1}"}}}`)
	sourcetest.RequireOutcome(t, input, source.Options{MaxRecordBytes: 100, IsRecord: ofRole.IsRecord}, source.FormHAR,
		`2:26 ({"text": "`+strings.Repeat("x", 89)+")", "  2:26-2:27 too-large: the record is larger than 100 bytes", `0/0 3:36 {"role":1}`)
}

// What merely begins in the same way is read as before.
func TestNoWalkedForms(t *testing.T) {
	sourcetest.RequireOutcome(t, `{"log":"x","role":"user"}`, source.Options{}, source.FormJSONL, `0 1:1 {"log":"x","role":"user"}`)
	sourcetest.RequireOutcome(t, `{"cells":[{"a":1}]}`, source.Options{}, source.FormJSONL, `0 1:1 {"cells":[{"a":1}]}`)
	sourcetest.RequireOutcome(t, `{"metadata":{"a":1},"messages":[{"b":2}]}`, source.Options{}, source.FormJSON, `0/messages/0 1:33 {"b":2}`)
}

// FuzzWalked reads anything as a browser's traffic and as a notebook.
func FuzzWalked(f *testing.F) {
	for _, seed := range append([]string{
		entry(`{"_webSocketMessages":[{"type":"send","opcode":1,"data":"{\"role\":\"a\"}"},{"type":"receive","opcode":2,"data":"AA=="},{"type":"x"},3]}`),
		entry(`{"request":{"postData":{"text":"{\"role\":1}{"}},"response":{"content":{"text":"ZGF0YToge30KCg==","encoding":"base64"}}}`),
		entry(`{"response":{"content":{"text":"data: {\"role\":\n\ndata: 1}\n\n"}}}`, `{"_webSocketMessages":[{"type":"send","data":"{'role':\"\\u00e9\"}"`),
		`{"cells":[{"cell_type":"code","outputs":[{"text":["{'role':\n"," \"\\\"\"}\n",""]},{"data":{"text/plain":"[{\"a\":1}, {\"b\"]"}}]}]}`,
		`{"cells":[],"nbformat":4,}`, `{"log":{`, `{"log":{"entries":[{}`,
	}, sourcetest.ReaderSeeds...) {
		for form := range byte(3) {
			f.Add([]byte(seed), form, uint16(0))
		}
		f.Add([]byte(seed), byte(1), uint16(30))
	}
	f.Fuzz(func(t *testing.T, data []byte, form byte, limit uint16) {
		sourcetest.RequireSound(t, data, source.Options{
			Form: []source.Form{source.FormAuto, source.FormHAR, source.FormNotebook}[form%3], MaxRecordBytes: int64(limit), IsRecord: ofRole.IsRecord,
		})
	})
}
