package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var userContentOutsideBlock = &lint.Rule{
	ID: "LMC609", Name: "user-content-outside-block",
	Summary: "User content appears outside a block",
	Rationale: "The server creates a message at the start flag. Content without one is appended to the last message if " +
		"that has the same type, even if it is the assistant's, whose answer then ends with the user's words; if there is no message, the " +
		"server responds with an error.",
	Evidence: []string{
		"documentation, server/usage: messages must be sent between start and end flags",
		"recording ws_error: \"You must send a 'start: True' chunk first to create this message.\"",
		"async_core.py, accumulate(): compares type and format with the last message, but not the role",
	},
	Requirements: []string{"LMC-SES-9"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "no start flag",
		Input: `{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + replied + completed,
		Edits: []string{"", `{"dir": "send", "frame": {"role": "user", "start": true}}
`},
		Want: []string{"LMC609 1:26"},
	}},
	Good: []lint.Example{{
		Name:  "content between start and end flags",
		Input: greeted + replied + completed,
	}},
	New: protocol.Report(lmc.ContentOutsideBlock, findUserContentOutsideBlock),
}

func findUserContentOutsideBlock(_ *lint.Pass, e *lmc.FramingError) lint.Finding {
	if !e.Sent {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   e.Record.Place(),
		Message: protocol.RecordName(e.Record) + " outside a block",
		Help:    `send {"role": "user", "start": true} first; otherwise the server appends this to the last message, regardless of role`,
	}
}
