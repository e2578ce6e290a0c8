package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var unapprovedExecution = &lint.Rule{
	ID: "LMC602", Name: "unapproved-execution",
	Summary: "Code ran without the user's go command",
	Rationale: "The server ends a response at code that needs approval, and runs the code only after the client's command go. " +
		"Output without go means that code ran on the user's computer without approval, or that the log lacks the " +
		"approval.",
	Evidence: []string{
		"documentation, server/usage: the command go approves the code",
		"recordings ws_go, ws_review: one go before each execution",
		"async_core.py, respond(): without go, the response ends at the confirmation",
	},
	Requirements: []string{"LMC-SES-3"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "go was not sent",
		Input: greeted + proposed + completed + ran + completed,
		Edits: []string{`{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
`, `{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
{"dir": "recv", "frame": {"role": "computer", "type": "console", "start": true}}
`},
		Want: []string{"LMC602 8:26"},
	}},
	Good: []lint.Example{{
		Name:  "go approves the code",
		Input: greeted + proposed + completed + commanded("go") + ran + completed,
	}, {
		Name:  "with auto_run, the output follows immediately",
		Input: greeted + proposed + ran + completed,
	}},
	New: protocol.Report(session.Unapproved, reportUnapprovedExecution),
}

func reportUnapprovedExecution(_ *lint.Pass, e *lmc.OutputEvent) lint.Finding {
	does := "runs code"
	if e.Code.Edit {
		does = "makes an edit"
	}
	return lint.Finding{
		Place:   e.Block.Start.Place(),
		Message: e.Block.Name() + " " + does + " that was not approved with go",
		Help:    "approve it with the command go between start and end flags; if it was sent, the log lacks it",
		Related: []lint.Related{{Message: "streamed here", Place: e.Code.Start.Place()}},
	}
}
