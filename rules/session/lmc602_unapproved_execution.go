package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var unapprovedExecution = &lint.Rule{
	ID: "LMC602", Name: "unapproved-execution", Since: "0.1",
	Summary: "Code ran that waited for the user's go",
	Rationale: "The server ends a response at code that it may not run by itself, and runs it when the client sends the command go. " +
		"Output without a go means that code ran which nobody approved, or that the log lacks the approval.",
	Evidence: []string{
		"documents, server/usage: the command go approves the code",
		"recordings ws_go, ws_review: one go before each execution",
		"async_core.py, respond(): without a go, the response ends at the confirmation",
	},
	Severity: lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "nobody sent go",
		Input: greeted + proposed + completed + ran + completed,
		Want:  []string{"LMC602 8:26"},
	}},
	Good: []lint.Example{{
		Name:  "go approves the code",
		Input: greeted + proposed + completed + approved + ran + completed,
	}, {
		Name:  "with auto_run, the output follows at once",
		Input: greeted + proposed + ran + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Unapproved, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Block.Start.Place(),
				Message: e.Block.Name() + " runs code that waited for a go",
				Help:    "the client approves code with the command go between start and end; is it missing in the log?",
				Related: []lint.Related{{Message: "this code", Place: e.Code.Start.Place()}},
			})
		}))
	},
}
