package input

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidJSON = &lint.Rule{
	ID: "LMC001", Name: "invalid-json", Since: "0.1",
	Summary: "A record is not valid JSON",
	Rationale: "Every parser raises an exception at the record, and Open Interpreter loads nothing of a stored conversation that " +
		"contains it. The finding points at the first invalid byte; reading continues with the next record.",
	Evidence: []string{
		"RFC 8259",
		"documentation, streaming-response: chunks are shown as Python prints them, with True for true",
		"recording ws_error: a frame that is plain text, not JSON",
	},
	Requirements: []string{"LMC-INP-1", "LMC-FRM-1"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a string without quotes",
		Input: `{"role": "user", "type": "message", "content": Hi}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC001 1:48"},
	}, {
		Name: "a missing brace",
		Input: `{"role": "user", "type": "message", "content": "Hi"
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC001 1:52"},
	}, {
		Name: "one chunk was written with print(chunk)",
		Input: `{"role": "assistant", "type": "message", "start": true}
{'role': 'assistant', 'type': 'message', 'content': 'Hello!'}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC001 2:2"},
	}},
	Good: []lint.Example{{
		Name: "each record is valid JSON; key order and whitespace are free",
		Input: `{"role": "user", "type": "message", "content": "Hi"}

{ "type":"message", "role":"assistant", "content":"Hello!" }
`,
	}},
	New: newInvalidJSON,
}

func newInvalidJSON(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.InvalidJSON, func(e *protocol.Problem) {
		syntax := "not valid JSON: "
		if e.Record.Python {
			syntax = "not a valid Python literal: "
		}
		f := lint.Finding{Place: e.Place, Message: syntax + e.Detail, Help: jsonHelp(e)}
		switch opening := e.Related; {
		case isDone(e.Record.Data):
			f.Message = "found `[DONE]`, which ends a stream of OpenAI, not one of LMC"
		case opening == nil:
		case opening.Span.Start.Line == e.Place.Span.Start.Line:
			f.Message = fmt.Sprintf("%sthe string that starts at column %d is not closed on this line", syntax, opening.Span.Start.Column)
		default:
			f.Message = fmt.Sprintf("%sthe string that starts on line %d is not closed", syntax, opening.Span.Start.Line)
		}
		p.Report(f)
	}), protocol.OnProblem(source.Comments, func(e *protocol.Problem) {
		p.Report(lint.Finding{
			Place: e.Place, Message: "not valid JSON: " + e.Detail, Help: "remove the comments, or pass --form text to skip lines without a record",
		})
	}), protocol.OnProblem(source.InvalidForm, func(e *protocol.Problem) {
		p.Report(lint.Finding{Place: e.Place, Message: e.Detail, Help: "write it like the other records of this input"})
	})}
}
