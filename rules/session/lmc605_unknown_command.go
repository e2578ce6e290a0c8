package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownCommand = &lint.Rule{
	ID: "LMC605", Name: "unknown-command",
	Summary: "A command is unknown to the server",
	Rationale: "The server compares the text of a command with go and stop exactly. At any other text no code runs; the " +
		"server stores an invented message (\"Hello? Answer please.\") in the user's name and calls the model with it.",
	Evidence: []string{
		"documentation, server/usage: the commands are go and stop",
		"async_core.py, input(): command == \"stop\", command == \"go\"",
	},
	Requirements: []string{"LMC-SES-5"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a misspelled command",
		Input: greeted + proposed + completed + `{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "Go"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
` + ran + completed,
		Edits: []string{`"Go"`, `"go"`},
		Want:  []string{"LMC605 9:73"},
	}},
	Good: []lint.Example{{
		Name:  "go",
		Input: greeted + proposed + completed + commanded("go") + ran + completed,
	}},
	New: protocol.Report(session.UnknownCommand, reportUnknownCommand),
}

func reportUnknownCommand(p *lint.Pass, e *session.Command) lint.Finding {
	s := protocol.StateOf(p)
	f := lint.Finding{Place: e.At.Place(), Message: "unknown command " + protocol.Quoted(e.Text), Help: "expected " + protocol.AnyOf(s.Dialect.Commands)}
	if near, _ := s.Dialect.Command(e.Text); near != "" {
		f.Help = protocol.DidYouMean(near)
	} else if known := s.OtherDialectHelp(func(d *schema.Dialect) bool { _, exact := d.Command(e.Text); return exact }); known != "" {
		f.Help = known
	}
	return f
}
