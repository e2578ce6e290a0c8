package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var userToUser = &lint.Rule{
	ID: "LMC122", Name: "user-to-user",
	Summary: "A user's message has the recipient user",
	Rationale: "Open Interpreter leaves messages for the user out of its requests. The user's own message then never " +
		"reaches the model, which answers without it. A run of chunks of one block is reported once.",
	Evidence: []string{
		"convert_to_openai_messages.py, convert_to_openai_messages(): messages whose recipient is not the assistant are left out of the request",
		"recordings: no user message has a recipient; output of the computer has one where a program sets it",
	},
	Requirements: []string{"LMC-REC-12"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message from the user to the user",
		Input: `[{"role": "user", "type": "message", "content": "Hi", "recipient": "user"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
		Edits: []string{`"Hi", "recipient": "user"`, `"Hi"`},
		Want:  []string{"LMC122 1:68"},
	}},
	Good: []lint.Example{{
		Name: "the assistant addresses the user",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!", "recipient": "user"}]
`,
	}},
	New: newUserToUser,
}

func newUserToUser(p *lint.Pass) []lint.Hook {
	reported := false // in the current block
	return []lint.Hook{
		protocol.On(lmc.Shape, func(r *lmc.Record) {
			if reported || !protocol.StateOf(p).IsUserToUser(r) {
				return
			}
			reported = !protocol.StateOf(p).Transcript
			p.Report(lint.Finding{
				Place:   r.PlaceOf("recipient"),
				Message: protocol.RecordName(r) + " has the recipient user; the model never gets it",
				Help:    `remove "recipient", or write "recipient": "assistant"`,
			})
		}),
		protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) {
			if e.Block.Role == "user" {
				reported = false
			}
		}),
	}
}
