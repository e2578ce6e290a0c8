package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidJSON = &lint.Rule{
	ID: "LMC001", Name: "invalid-json", Since: "0.1",
	Summary: "A record is not JSON",
	Rationale: "A consumer that parses the line raises an exception, and often takes the whole conversation down with it. " +
		"The finding points at the first byte that cannot be; reading goes on with the next record.",
	Evidence: []string{
		"RFC 8259",
		"documents, streaming-response: chunks are shown as Python prints them, with True for true",
		"recording ws_error: a frame that is text and no JSON",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a text without quotes",
		Input: `{"role": "user", "type": "message", "content": Hi}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC001 1:48"},
	}, {
		Name: "a brace is missing",
		Input: `{"role": "user", "type": "message", "content": "Hi"
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC001 1:52"},
	}, {
		Name: "one chunk written with print(chunk)",
		Input: `{"role": "assistant", "type": "message", "start": true}
{'role': 'assistant', 'type': 'message', 'content': 'Hello!'}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC001 2:2"},
	}},
	Good: []lint.Example{{
		Name: "each record is JSON; any key order and white space will do",
		Input: `{"role": "user", "type": "message", "content": "Hi"}

{ "type":"message", "role":"assistant", "content":"Hello!" }
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.InvalidJSON, func(e *protocol.Problem) {
			p.Report(lint.Finding{
				Place:   e.Place,
				Message: notValid(e.Record) + e.Detail,
				Help:    howToWrite(e.Record.Data),
			})
		}), protocol.OnProblem(source.InvalidForm, func(e *protocol.Problem) {
			p.Report(lint.Finding{Place: e.Place, Message: e.Detail, Help: "write it as the other records of this input are written"})
		}))
	},
}

// notValid says what the input's records should be.
func notValid(r *source.Record) string {
	if r.Python {
		return "not a valid Python literal: "
	}
	return "not valid JSON: "
}
