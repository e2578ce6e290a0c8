package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var orphanResponse = &lint.Rule{
	ID: "WB108", Name: "orphan-response", Since: "0.1",
	Summary: "A command-response has no command before it",
	Rationale: "Either the command is missing from the recording, or an assistant took its own text for a response because it begins with " +
		"a slash. A list of one type of message, one that the service may have cut at 100, and --partial, switch the rule off.",
	Evidence: []string{
		pageTypes + ": a response is what an assistant sends to a command",
		"semanticworkbench, explorer assistant: response.py makes a command-response of the model's text if it begins with a slash",
	},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a path that was taken for a command",
		Make: func() string {
			return said(1, "user", "chat", "Where is the tool?", "{}") + said(2, "assistant", "command-response", "/usr/local/bin/tool", "{}")
		},
		Want: []string{"WB108 2:1"},
	}},
	Good: []lint.Example{{
		Name: "two assistants answer one command",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "assistant", "command-response", "hi", "{}") +
				saidBy(3, "assistant", exampleOther, "command-response", "hi too", "{}")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.ResponseWithoutCommand, func(e *workbench.Event) {
			p.Report(lint.Finding{
				Place: e.Place, Message: "the command-response has no command before it",
				Help: "is it a chat that begins with a slash? pass --partial if messages were left out",
			})
		}))
	},
}
