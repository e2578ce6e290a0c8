package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var userContentOutsideBlock = &lint.Rule{
	ID: "LMC609", Name: "user-content-outside-block", Since: "0.1",
	Summary: "The user's content comes without a start",
	Rationale: "The server begins a message at the start. Content without one is glued to the last message if that has the same " +
		"type, even if it is the assistant's; with no message at all the server answers with an error.",
	Evidence: []string{
		"documents, server/usage: messages must be sent between start and end flags",
		"recording ws_error: \"You must send a 'start: True' chunk first to create this message.\"",
		"async_core.py, accumulate(): compares type and format with the last message, and not the role",
	},
	Severity: lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "no start",
		Input: `{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + replied + completed,
		Want: []string{"LMC609 1:26"},
	}},
	Good: []lint.Example{{
		Name:  "content between start and end",
		Input: greeted + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.ContentOutsideBlock, func(e *lmc.Event) {
			if !e.Sent {
				return
			}
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: protocol.RecordName(e.Record) + " comes without a start",
				Help:    `the server glues this to the last message, whoever said that: send {"role": "user", "start": true} first`,
			})
		}))
	},
}
