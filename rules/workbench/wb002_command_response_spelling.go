package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var commandResponseSpelling = &lint.Rule{
	ID: "WB002", Name: "command-response-spelling",
	Summary: "The message type is command_response instead of command-response",
	Rationale: "The page on message types spells it command_response, the name of a Python constant. The wire format has " +
		"always used command-response: the service refuses a message with the underscore. Such a message is still checked " +
		"as a response. It is what the page tells a client to send, so it is a note.",
	Evidence: []string{
		pageTypes + ": \"Assistants should respond to command messages with a command_response message\"",
		modelOf + "MessageType.command_response = \"command-response\", since the first public commit",
		"the page's last paragraph was changed to the hyphen on 2025-03-03; its heading was not",
	},
	Requirements: []string{"WB-MSG-2"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Fixes:    lint.SafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "as the page on message types",
		Make: func() string {
			return said(1, "user", "command", "/reverse abc", "{}") + said(2, "assistant", "command_response", "cba", "{}")
		},
		Want: []string{"WB002 2:167"},
	}},
	Good: []lint.Example{{
		Name: "as the service expects",
		Make: func() string {
			return said(1, "user", "command", "/reverse abc", "{}") + said(2, "assistant", "command-response", "cba", "{}")
		},
	}},
	New: newCommandResponseSpelling,
}

func newCommandResponseSpelling(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		p.Report(lint.Finding{
			Place:   b.Place(),
			Message: "message type \"command_response\", as the documentation spells it; the service's type is \"command-response\"",
			Help:    "write command-response with a hyphen in each message; the service refuses the underscore",
			Fix:     offer.ReplaceWord(b.Record.Source, b.Node, "command-response"),
		})
	})}
}
