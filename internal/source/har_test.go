package source_test

import (
	"strings"
	"testing"

	"github.com/lmclint/lmclint/internal/source"
)

// entry wraps what a connection or an exchange contains into a HAR.
func entry(entries ...string) string {
	return `{"log": {"version": "1.2", "creator": {"name": "x"}, "pages": [{"id": "p"}], "entries": [` + strings.Join(entries, ",") + `]}}`
}

// ofRole takes what has a role for a record.
var ofRole = source.Options{Name: "x.har"}

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
			[]string{`1:22 ({"request": {"a)`, "  1:37-1:37 truncated: the input ends before the record is closed"},
		},
		{
			"broken", `{"log": {"entries": [{"a": 1} {"b": 2}]}}`,
			[]string{"1:31 ({)", "  1:31-1:32 invalid-json: found `{`, expected a comma or `]`"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { requireOutcome(t, test.input, ofRole, source.FormHAR, test.want...) })
	}
}
