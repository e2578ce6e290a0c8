package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var blankMessage = &lint.Rule{
	ID: "LMC505", Name: "blank-message",
	Summary: "A message or code is empty or only whitespace",
	Rationale: "Open Interpreter sends a blank message to the model verbatim, and some model APIs refuse it. Blank code " +
		"does not run: the interpreter responds with a complaint. Console output may be empty; that is how code without " +
		"output is stored.",
	Evidence: []string{
		"recording empty_user",
		"core.py, _respond_and_store(): an empty chunk is never passed on, so the interpreter itself never stores an empty message",
	},
	Requirements: []string{"LMC-TRN-5"},
	Severity:     lint.SeverityWarning, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an empty user message",
		Input: `[{"role": "user", "type": "message", "content": ""},
{"role": "assistant", "type": "message", "content": "Hello?"}]
`,
		Edits: []string{`"user", "type": "message", "content": ""},
{"role": "assistant"`, `"assistant"`},
		Want: []string{"LMC505 1:49"},
	}, {
		Name: "blank code",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "\n"},
{"role": "computer", "type": "console", "format": "output", "content": "Code block was empty. Please try again, be sure to write code before executing."}]
`,
		Edits: []string{`{"role": "assistant", "type": "code", "format": "python", "content": "\n"},
{"role": "computer", "type": "console", "format": "output", "content": "Code block was empty. Please try again, be sure to write code before executing."}`, ""},
		Want: []string{"LMC505 1:71"},
	}},
	Good: []lint.Example{{
		Name: "code without output",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "x = 1"},
{"role": "computer", "type": "console", "format": "output", "content": ""}]
`,
	}},
	New: newBlankMessage,
}

func newBlankMessage(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	return []lint.Hook{protocol.OnText(lmc.PlainText|lmc.Message, func(r *lmc.Record, _ *lmc.Block) {
		if r.Blank() && !r.Stored && !s.Dialect.MayBeEmpty(r.Type, r.Format) && !p.Repeats("", r.Source, r.Content.Start) {
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOf(r.Content),
				Message: fmt.Sprintf("%s content is empty or only whitespace", protocol.RecordName(r)),
				Help:    protocol.RemoveMessage(r),
			})
		}
	}, "message", "code", "edit")}
}
