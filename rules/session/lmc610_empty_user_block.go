package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var emptyUserBlock = &lint.Rule{
	ID: "LMC610", Name: "empty-user-block", Since: "0.1",
	Summary: "The user's message is empty",
	Rationale: "A start and an end with nothing between store a message without content, and without a type where the flags have " +
		"none. The server fails at it, and so does each later request, for the message stays in the history.",
	Evidence: []string{
		"recording ws_empty_user: KeyError 'type', and the message stays",
		"OpenInterpreter/01#112: an audio message without any binary frame ends in a TypeError",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "nothing between start and end",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + failed + completed,
		Want: []string{"LMC610 1:26", "LMC612 3:73"},
	}},
	Good: []lint.Example{{
		Name:  "a message",
		Input: greeted + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Closed, func(e *lmc.Event) {
			b := e.Block
			if !e.Sent || b.Contents > 0 || b.Cut || b.Lossy {
				return
			}
			p.Report(lint.Finding{
				Place:   b.Start.Place(),
				Message: "nothing stands between this start and its end",
				Help:    emptyUserHelp(b),
			})
		}))
	},
}

// emptyUserHelp says what an empty block of the user's lacks.
func emptyUserHelp(b *lmc.Block) string {
	switch b.Type {
	case "command":
		return "the server finds no command in it and answers as to a message: send go or stop between start and end"
	case "audio":
		return "send the sound in binary frames between start and end"
	}
	return "send the content between start and end, or nothing at all: the server fails at an empty message"
}
