package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var truncatedRecord = &lint.Rule{
	ID: "LMC005", Name: "truncated-record", Since: "0.1",
	Summary: "The input ends inside a record",
	Rationale: "What the record was to say is lost, and so is everything after it. The writer was killed, the disk was full, or a " +
		"copy stopped half-way. A conversation file that is cut cannot be loaded at all.",
	Evidence: []string{
		"RFC 8259",
		"recordings: Open Interpreter writes a conversation file anew after each answer, so that a crash can leave half of it",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "the last record was cut",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "cont`,
		Want: []string{"LMC005 2:47"},
	}},
	Good: []lint.Example{{
		Name: "a last record without a line feed is whole",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": "Hello!"}`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.TruncatedRecord, func(e *protocol.Problem) {
			p.Report(lint.Finding{
				Place:   e.Place,
				Message: e.Detail,
				Help:    "this record and all that was to follow are lost: copy or record the conversation again, or drop the last record",
			})
		}))
	},
}
