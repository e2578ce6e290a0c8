package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var bareCommand = &lint.Rule{
	ID: "LMC604", Name: "bare-command",
	Summary: "A command is sent without start and end flags",
	Rationale: "The server acts on a command when its end flag arrives. Without start and end flags it only stores the " +
		"command as a message: after go no code runs and the next request fails at the type command; after stop the response continues, and its stored text is cut in two.",
	Evidence: []string{
		"documentation, server/usage: commands are shown without flags",
		"async_core.py, input(): a command takes effect at a chunk with end",
		"recordings ws_go, ws_stop: start, content, end",
	},
	Requirements: []string{"LMC-SES-4"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "as the documentation shows it",
		Input: greeted + proposed + completed + `{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
` + ran + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
`, `{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
`, `{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
`, `{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
`},
		Want: []string{"LMC604 8:26"},
	}},
	Good: []lint.Example{{
		Name:  "between start and end flags",
		Input: greeted + proposed + completed + commanded("go") + ran + completed,
	}},
	New: protocol.Report(session.BareCommand, reportBareCommand),
}

func reportBareCommand(_ *lint.Pass, r *lmc.Record) lint.Finding {
	return lint.Finding{
		Place:   r.Place(),
		Message: fmt.Sprintf("command %s without a start flag", protocol.Quoted(r.Text())),
		Help:    `send {"role": "user", "type": "command", "start": true}, the command, and {…, "end": true}; the server only stores this`,
	}
}
