package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var responseNotByTarget = &lint.Rule{
	ID: "WB112", Name: "response-not-by-target",
	Summary: "A command is answered by an assistant other than its target",
	Rationale: "This is allowed, because every command is sent to every assistant. Usually the assistant ignores " +
		"directed_at, and the user gets unwanted responses. A command directed at all is not checked, nor is a response " +
		"after that of the target.",
	Evidence: []string{
		pageTypes + ": \"you code your assistant to only respond to commands that are directed at it\"",
	},
	Requirements: []string{"WB-CON-9"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "another assistant responds",
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
	New: protocol.ReportWorkbench(workbench.Answered, findResponseNotByTarget),
}

func findResponseNotByTarget(e *workbench.Event) lint.Finding {
	target, sender := e.Asked.Target, e.Message.SenderID
	if target == "" || target == "all" || sender == "" || e.Asked.Met || e.Message.Role == workbench.User {
		return lint.Finding{}
	}
	return lint.Finding{
		Place: e.Message.At(e.Message.Sender), Message: "command directed at " + protocol.Quoted(target) + " was answered by another assistant",
		Help:    "check directed_at before responding",
		Related: []lint.Related{{Message: "command sent here", Place: e.Asked.Place}},
	}
}
