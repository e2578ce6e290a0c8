package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var bareCommand = &lint.Rule{
	ID: "LMC604", Name: "bare-command", Since: "0.1",
	Summary: "A command is sent without a start",
	Rationale: "The server acts on a command when its end comes. Without start and end it is only stored as a message: nothing " +
		"stops, no code runs, and the model is shown a message of the type command later, which fails.",
	Evidence: []string{
		"documents, server/usage: show the commands alone",
		"async_core.py, input(): a command is obeyed at a chunk with end",
		"recordings ws_go, ws_stop: start, content, end",
	},
	Severity: lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "as the documents show it",
		Input: greeted + proposed + completed + `{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
` + ran + completed,
		Want: []string{"LMC604 8:26"},
	}},
	Good: []lint.Example{{
		Name:  "between start and end",
		Input: greeted + proposed + completed + approved + ran + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.BareCommand, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: fmt.Sprintf("the command %s comes without its start", protocol.Quoted(e.Record.Text())),
				Help:    `the server only stores this: send {"role": "user", "type": "command", "start": true}, the command, and {…, "end": true}`,
			})
		}))
	},
}
