package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var orphanResponse = &lint.Rule{
	ID: "WB108", Name: "orphan-response",
	Summary: "A command-response has no preceding command",
	Rationale: "Either the command is missing from the recording, or an assistant sent its own text as a response because " +
		"it starts with a slash. Not checked in a list of one message type, in one that the service may have truncated at " +
		"100 messages, and with --partial.",
	Evidence: []string{
		pageTypes + ": a response is what an assistant sends to a command",
		"semanticworkbench, explorer assistant, response.py, respond_to_conversation(): sends the model's text as a command-response if it starts with a slash",
	},
	Requirements: []string{"WB-CON-6"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a path sent as a command-response",
		Make: func() string {
			return said(1, "user", "chat", "Where is the tool?", "{}") + said(2, "assistant", "command-response", "/usr/local/bin/tool", "{}")
		},
		Want: []string{"WB108 2:1"},
	}},
	Good: []lint.Example{{
		Name: "two assistants respond to one command",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "command-response", "hi", "{}") +
				saidBy(3, "assistant", exampleOther, "command-response", "hi too", "{}")
		},
	}},
	New: protocol.ReportWorkbench(workbench.ResponseWithoutCommand, reportOrphanResponse),
}

func reportOrphanResponse(e *workbench.Event) lint.Finding {
	return lint.Finding{
		Place: e.Place, Message: "command-response has no preceding command",
		Help: "send text that starts with a slash as a chat; if messages are missing, pass --partial",
	}
}
