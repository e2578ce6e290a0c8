package input

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

var invalidJSON = &lint.Rule{
	ID: "LMC001", Name: "invalid-json",
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
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "commas between records",
		Input: `{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello!"},
`,
		Want: []string{"LMC001 1:53"},
	}, {
		Name: "a string without quotes",
		Input: `{"role": "user", "type": "message", "content": Hi}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Edits: []string{"Hi", `"Hi"`},
		Want:  []string{"LMC001 1:48"},
	}, {
		Name: "a missing brace",
		Input: `{"role": "user", "type": "message", "content": "Hi"
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Edits: []string{`"Hi"`, `"Hi"}`},
		Want:  []string{"LMC001 1:52"},
	}, {
		Name: "one chunk was written with print(chunk)",
		Input: `{"role": "assistant", "type": "message", "start": true}
{'role': 'assistant', 'type': 'message', 'content': 'Hello!'}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{"'role': 'assistant', 'type': 'message', 'content': 'Hello!'", `"role": "assistant", "type": "message", "content": "Hello!"`},
		Want:  []string{"LMC001 2:2"},
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
		because := reason(e.Detail)
		switch {
		case isDone(e.Record.Data):
			because = "[DONE]"
		case e.Related != nil:
			because = "the string is not closed"
		}
		if p.RepeatsAt(because, e.Place) {
			return
		}
		syntax := "not valid JSON: "
		if e.Record.Python {
			syntax = "not a valid Python literal: "
		}
		f := lint.Finding{Place: e.Place, Message: syntax + e.Detail, Help: jsonHelp(e), Cause: because}
		switch opening := e.Related; {
		case isDone(e.Record.Data):
			f.Message = "found `[DONE]`, which ends a stream of OpenAI, not one of LMC"
		case opening == nil:
		case opening.Span.Start.Line == e.Place.Span.Start.Line:
			f.Message = fmt.Sprintf("%sthe string that starts at column %d is not closed on this line", syntax, opening.Span.Start.Column)
		default:
			f.Message = fmt.Sprintf("%sthe string that starts on line %d is not closed", syntax, opening.Span.Start.Line)
		}
		if e.Cause == value.CommaAfter {
			f.Fix = fix.Safe("remove what is between the records", fix.ReplaceText(e.Record, 0, len(e.Record.Data), ""))
		}
		p.Report(f)
	}), protocol.OnProblem(source.Comments, func(e *protocol.Problem) {
		p.Report(lint.Finding{
			Place: e.Place, Message: "not valid JSON: " + e.Detail, Help: "remove the comments, or pass --form text to skip lines without a record",
		})
	}), protocol.OnProblem(source.InvalidForm, func(e *protocol.Problem) {
		f := lint.Finding{Place: e.Place, Message: e.Detail, Help: "write it like the other records of this input"}
		if e.Cause == value.SecondList {
			f.Help = "put each list into a file of its own, as jq -c .chunks does"
		}
		p.Report(f)
	})}
}

// reason returns a detail without the words and values that it quotes, which differ from
// record to record. Punctuation stays: it is the mistake.
func reason(detail string) string {
	parts := strings.Split(detail, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		if strings.ContainsFunc(parts[i], func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }) {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "`")
}
