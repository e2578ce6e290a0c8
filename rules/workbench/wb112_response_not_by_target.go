package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var responseNotByTarget = &lint.Rule{
	ID: "WB112", Name: "response-not-by-target", Since: "0.1",
	Summary: "Another assistant answers than the one that a command is directed at",
	Rationale: "It may, because every command goes to every assistant. Mostly it does not look at directed_at, and the user gets answers " +
		"that were not asked for. A command directed at all is left alone, and so is an answer behind that of the one who was asked.",
	Evidence: []string{
		pageTypes + ": \"you code your assistant to only respond to commands that are directed at it\"",
	},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "another assistant answers",
		Make: func() string {
			return said(1, "user", "command", "/say hi", `{"directed_at": "`+exampleHelper+`"}`) + saidBy(2, "assistant", exampleOther, "command-response", "hi", "{}")
		},
		Want: []string{"WB112 2:110"},
	}},
	Good: []lint.Example{{
		Name: "the assistant that was asked",
		Make: func() string {
			return said(1, "user", "command", "/say hi", `{"directed_at": "`+exampleHelper+`"}`) + said(2, "assistant", "command-response", "hi", "{}")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.Answered, func(e *workbench.Event) {
			target, sender := e.Asked.Target, e.Message.SenderID
			if target == "" || target == "all" || sender == "" || e.Asked.Met || e.Message.Role == workbench.User {
				return
			}
			p.Report(lint.Finding{
				Place: e.Message.At(e.Message.Sender), Message: "the command was directed at " + protocol.Quoted(target) + ", and another assistant answers",
				Help:    "look at directed_at before answering, unless the command is for everybody",
				Related: []lint.Related{{Message: "this command", Place: e.Asked.Place}},
			})
		}))
	},
}
