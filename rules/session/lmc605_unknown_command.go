package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownCommand = &lint.Rule{
	ID: "LMC605", Name: "unknown-command", Since: "0.1",
	Summary: "A command is unknown to the server",
	Rationale: "The server compares the text of a command with go and stop exactly. At any other text no code runs; the " +
		"server stores an invented message (\"Hello? Answer please.\") in the user's name and calls the model with it.",
	Evidence: []string{
		"documentation, server/usage: the commands are go and stop",
		"async_core.py, input(): command == \"stop\", command == \"go\"",
	},
	Requirements: []string{"LMC-SES-5"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a misspelled command",
		Input: greeted + proposed + completed + `{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "Go"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
` + ran + completed,
		Want: []string{"LMC605 9:73"},
	}},
	Good: []lint.Example{{
		Name:  "go",
		Input: greeted + proposed + completed + approved + ran + completed,
	}},
	New: newUnknownCommand,
}

func newUnknownCommand(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.UnknownCommand, func(e *lmc.Event) {
		d := protocol.StateOf(p).Dialect
		help := "expected " + protocol.AnyOf(d.Commands)
		if near, _ := d.Command(e.Text); near != "" {
			help = protocol.DidYouMean(near)
		} else if known := protocol.StateOf(p).OtherDialectHelp(func(other *schema.Dialect) bool { _, exact := other.Command(e.Text); return exact }); known != "" {
			help = known
		}
		p.Report(lint.Finding{
			Place:   e.Last.Place(),
			Message: "unknown command " + protocol.Quoted(e.Text),
			Help:    help,
		})
	})}
}
