package convert_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/convert"
)

// Every difference between two dialects, and what cannot be rewritten.
func TestDialects(t *testing.T) {
	for _, test := range []struct {
		name, from, to string
		in, want       string   // records, one per line
		losses         []string // with their lines
	}{
		{
			"an end flag", "interpreter-0.1", "server",
			`{"role": "assistant", "type": "message", "stop": true}`,
			`{"role": "assistant", "type": "message", "end": true}`, nil,
		},
		{
			"an end flag of an unknown dialect", "", "interpreter-0.1",
			`{"role": "assistant", "type": "message", "end": true}`,
			`{"role": "assistant", "type": "message", "stop": true}`, nil,
		},
		{
			"an image without its format", "interpreter-0.1", "interpreter",
			`{"role": "computer", "type": "image", "format": "base64", "start": true}
{"role": "computer", "type": "image", "format": "base64", "content": "/9j/4AAQ"}
{"role": "computer", "type": "image", "format": "base64", "stop": true}
{"role": "computer", "type": "image", "format": "base64", "start": true}
{"role": "computer", "type": "image", "format": "base64", "content": "R0lGOD"}
{"role": "computer", "type": "image", "format": "base64", "stop": true}
{"role": "computer", "type": "image", "format": "base64", "start": true}`,
			`{"role": "computer", "type": "image", "format": "base64.jpeg", "start": true}
{"role": "computer", "type": "image", "format": "base64.jpeg", "content": "/9j/4AAQ"}
{"role": "computer", "type": "image", "format": "base64.jpeg", "end": true}
{"role": "computer", "type": "image", "format": "base64", "start": true}
{"role": "computer", "type": "image", "format": "base64", "content": "R0lGOD"}
{"role": "computer", "type": "image", "format": "base64", "end": true}
{"role": "computer", "type": "image", "format": "base64", "start": true}`, nil,
		},
		{
			"a stored image", "interpreter-0.1", "interpreter",
			`[{"role": "user", "type": "image", "format": "base64", "content": "iVBORw0KGgo="}]`,
			`{"role": "user", "type": "image", "format": "base64.png", "content": "iVBORw0KGgo="}`, nil,
		},
		{
			"a confirmation of the documents, a line as text", "docs", "interpreter",
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "language": "python", "code": "f()"}}
{"role": "computer", "type": "console", "format": "active_line", "content": "12"}`,
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}
{"role": "computer", "type": "console", "format": "active_line", "content": 12}`, nil,
		},
		{
			"languages, keys and empty output of the fork", "classic", "interpreter",
			`{"role": "assistant", "type": "code", "format": "bash", "sent_at": 1, "mine": 2, "content": "ls"}
{"role": "assistant", "type": "code", "format": "perl", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": ""}`,
			`{"role": "assistant", "type": "code", "format": "shell", "mine": 2, "content": "ls"}
{"role": "assistant", "type": "code", "format": "perl", "start": true}`,
			[]string{"1: changed: sent_at is left out: interpreter does not have it", "2: kept: interpreter has no language perl"},
		},
		{
			"a confirmation of the fork", "classic", "interpreter",
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "bash", "content": "ls", "removed": null}}`,
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}`,
			[]string{"1: changed: removed of the confirmation is left out: interpreter does not have it"},
		},
		{
			"languages of the interpreter", "interpreter", "classic",
			`{"role": "assistant", "type": "code", "format": "sh", "content": "ls"}
{"role": "assistant", "type": "code", "format": "py", "content": "f()"}
{"role": "assistant", "type": "code", "format": "cobol", "content": "STOP RUN"}`,
			`{"role": "assistant", "type": "code", "format": "bash", "content": "ls"}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "cobol", "content": "STOP RUN"}`, nil,
		},
		{
			"blocks that the dialect does not have", "classic", "interpreter-0.3",
			`{"role": "assistant", "type": "review", "format": "safe", "start": true}
{"role": "assistant", "type": "review", "format": "safe", "content": "ok"}
{"role": "assistant", "type": "review", "format": "safe", "end": true}
{"role": "assistant", "type": "message", "format": "reasoning", "start": true}
{"role": "assistant", "type": "message", "format": "reasoning", "content": "hm"}
{"role": "assistant", "type": "message", "start": true}
{"role": "tool", "type": "message", "content": "x"}
{"role": "assistant", "type": "nonsense", "content": "x"}`,
			`{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "nonsense", "content": "x"}`,
			[]string{
				"1: left out: interpreter-0.3 has no type review in a chunk",
				"4: left out: interpreter-0.3 has no format reasoning of type message in a chunk",
				"7: left out: interpreter-0.3 has no role tool",
			},
		},
		{
			"the end of a response", "interpreter-0.2", "server",
			`{"role": "server", "type": "completion", "content": "DONE"}`,
			`{"role": "server", "type": "completion", "content": "DONE"}`, nil,
		},
		{
			"the end of a response in older releases", "server", "interpreter-0.2",
			`{"role": "server", "type": "status", "content": "complete"}`,
			`{"role": "server", "type": "completion", "content": "DONE"}`, nil,
		},
		{
			"an approval with an id", "classic", "server",
			`{"role": "user", "type": "command", "content": "go:abc"}`,
			`{"role": "user", "type": "command", "content": "go"}`, nil,
		},
		{
			"confirmations that a server does not send", "interpreter", "server",
			`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}`,
			"",
			[]string{"1: left out: server has no confirmations"},
		},
		{
			"recipients", "interpreter", "docs",
			`{"role": "computer", "type": "console", "format": "output", "content": "x", "recipient": "user"}`,
			`{"role": "computer", "type": "console", "format": "output", "content": "x"}`,
			[]string{"1: changed: recipient is left out: docs does not have it"},
		},
		{
			"an execution that ends with an image, and a refusal", "interpreter-0.1", "interpreter",
			`{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "python", "stop": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "x"}
{"role": "computer", "type": "console", "stop": true}
{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>"}
{"role": "computer", "type": "code", "format": "html", "stop": true}
{"role": "assistant", "type": "code", "format": "cobol", "start": true}
{"role": "assistant", "type": "code", "format": "cobol", "content": "f()"}
{"role": "assistant", "type": "code", "format": "cobol", "stop": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "` + "`cobol`" + ` disabled or not supported."}
{"role": "computer", "type": "console", "stop": true}`,
			`{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "f()"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f()"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "x"}
{"role": "computer", "type": "console", "end": true}
{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
{"role": "assistant", "type": "code", "format": "cobol", "start": true}
{"role": "assistant", "type": "code", "format": "cobol", "content": "f()"}
{"role": "assistant", "type": "code", "format": "cobol", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "` + "`cobol`" + ` disabled or not supported."}
{"role": "computer", "type": "console", "end": true}`, nil,
		},
		{
			"a session", "server", "interpreter",
			`{"dir": "send", "frame": {"auth": "k"}}
{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Look"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "a.png"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "Python", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "Python", "content": "f(\"\\n"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "Python", "content": "\")"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "Python", "end": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "stop"}}
{"dir": "send", "frame": {"role": "user", "type": "message", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Stop"}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "format": "output", "content": "x"}}
{"dir": "send", "frame": {"role": "user", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "bytes_base64": "AA"}`,
			`{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "Look"}
{"role": "user", "type": "message", "end": true}
{"role": "user", "type": "image", "format": "path", "start": true}
{"role": "user", "type": "image", "format": "path", "content": "a.png"}
{"role": "user", "type": "image", "format": "path", "end": true}
{"role": "assistant", "type": "code", "format": "Python", "start": true}
{"role": "assistant", "type": "code", "format": "Python", "content": "f(\"\\n"}
{"role": "assistant", "type": "code", "format": "Python", "content": "\")"}
{"role": "assistant", "type": "code", "format": "Python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "f(\"\\n\")"}}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "x"}
{"role": "computer", "type": "console", "end": true}
{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "Stop"}
{"role": "user", "type": "message", "end": true}
{"role": "assistant", "type": "message", "start": true}`,
			[]string{
				"1: left out: interpreter has no frames about the connection",
				"13: changed: the block was interrupted; its end is added",
				"14: left out: interpreter has no commands",
				"20: left out: a binary frame has no place in a stream",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := convert.Options{To: convert.JSONL, ToDialect: dialect(t, test.to)}
			if test.from != "" {
				o.Dialect = dialect(t, test.from)
			}
			out, losses, err := converted([]byte(test.in), o)
			require.NoError(t, err)
			assert.Equal(t, test.want, strings.TrimSuffix(string(out), "\n"))
			assert.Equal(t, test.losses, lossLines(losses))
		})
	}
}
