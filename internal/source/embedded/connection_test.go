package embedded_test

import (
	"testing"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/sourcetest"
)

func TestHeads(t *testing.T) {
	const curl = "*   Trying 127.0.0.1:80...\r\n> GET / HTTP/1.1\r\n> \r\n{ [5 bytes data]\n< HTTP/1.1 200 OK\r\n< \r\n"
	tests := []struct {
		name, input string
		form        source.Form
		want        []string
	}{
		{"lines", "HTTP/2 200 \r\na: b\r\n\r\n{\"a\":1}\n{\"b\":2}\n", source.FormJSONL, []string{`0 4:1 {"a":1}`, `1 5:1 {"b":2}`}},
		{"a list", "HTTP/1.1 200 OK\na: b\n\n[\n {\"a\":1}]", source.FormJSON, []string{`0/0 5:2 {"a":1}`}},
		{"several heads", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{'a': 1}", source.FormPython, []string{
			"0 5:1 {'a': 1}", "  5:1-5:9 python: records are Python literals, not JSON",
		}},
		{"events", "HTTP/1.1 200 OK\r\n\r\ndata: {\"a\":1}\r\n\r\n", source.FormSSE, []string{`0 3:7 {"a":1}`}},
		{"talk before lines", curl + "{\"a\":1}\n{\"b\":2}\n* Connection #0 left intact\n", source.FormJSONL, []string{`0 7:1 {"a":1}`, `1 8:1 {"b":2}`}},
		{"a command before events", "$ curl -N \\\n  http://localhost\n\ndata: {\"a\":1}\n\n$ \n", source.FormSSE, []string{`0 4:7 {"a":1}`}},
		{"a command before a head", "me@host:~$ curl -i localhost\nHTTP/1.1 200 OK\n\n{\"a\":1}\n", source.FormJSONL, []string{`0 4:1 {"a":1}`}},
		{"a command before talk", "% curl -v localhost\n" + curl + "data: {\"a\":1}\n\n", source.FormSSE, []string{`0 8:7 {"a":1}`}},
		{"words before events", "Ready: go\ndata: {\"a\":1}\n\ndata: {\"b\":2}\n", source.FormLog, []string{
			`0 2:7 {"a":1}`, `1 4:7 {"b":2}`, "5:1 ()", "  1:1-1:10 stray: this line contains no record",
		}},
		{"talk round a list", curl + "[{\"a\":1}]* Connection #0 left intact\n", source.FormJSON, []string{`0/0 7:2 {"a":1}`}},
		{"talk before events", curl + "data: {\"a\":1}\n\n* Connection #0 left intact\n", source.FormSSE, []string{`0 7:7 {"a":1}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			sourcetest.RequireOutcome(t, test.input, source.Options{}, test.form, test.want...)
		})
	}
}

// Without a body there is no head, and what was sent over a connection is not one.
func TestNoHeads(t *testing.T) {
	sourcetest.RequireOutcome(t, "HTTP/1.1 200 OK\r\na: b\r\n", source.Options{}, source.FormJSONL,
		"0 1:1 !HTTP/1.1 200 OK", "  1:1-1:5 invalid-json: found `HTTP`, expected a value; text needs double quotes")
	sourcetest.RequireOutcome(t, "> {\"a\":1}\n< {\"b\":2}\n", source.Options{}, source.FormSessionLog, `0 1:3 > {"a":1}`, `1 2:3 < {"b":2}`)
}

func TestWordsBeforeLists(t *testing.T) {
	sourcetest.RequireOutcome(t, "Loading [1]\nReady\n\n[\n  {\n    \"a\": 1\n  },\n  {\"b\": 2}\n]\nDone\n", source.Options{}, source.FormMarkdown,
		"0 5:3 {\n    \"a\": 1\n  }", `1 8:3 {"b": 2}`, "11:1 ()", "  1:1-1:12 stray: 3 lines contain no record, this is the first of them")
	sourcetest.RequireOutcome(t, "Ready.\n> {\"a\":1}\n< {\"b\":2}\n", source.Options{}, source.FormSessionLog,
		`0 2:3 > {"a":1}`, `1 3:3 < {"b":2}`, "4:1 ()", "  1:1-1:7 stray: this line contains no record")
}
