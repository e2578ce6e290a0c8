package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var directedAtType = &lint.Rule{
	ID: "WB110", Name: "directed-at-type",
	Summary: "directed_at is not a string",
	Rationale: "Assistants compare directed_at with their own id. A list never matches, so every assistant ignores the " +
		"command.",
	Evidence: []string{
		pageTypes + ": \"The directed_at metadata is used to specify the target of the command\"",
		"semanticworkbench, codespace, document, explorer and navigator assistants, chat.py, should_respond_to_message(): directed_at is compared with the assistant's id",
	},
	Requirements: []string{"WB-CON-8"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name:  "a list with one id",
		Make:  func() string { return said(1, "user", "command", "/help", `{"directed_at": ["`+exampleHelper+`"]}`) },
		Edits: []string{`["cda53796-4fe4-49a7-8175-ee227d405e7e"]`, `"cda53796-4fe4-49a7-8175-ee227d405e7e"`},
		Want:  []string{"WB110 1:342"},
	}},
	Good: []lint.Example{{
		Name: "an id, or all",
		Make: func() string {
			return said(1, "user", "command", "/help", `{"directed_at": "`+exampleHelper+`"}`) + said(2, "user", "command", "/help", `{"directed_at": "all"}`)
		},
	}},
	New: protocol.ReportWorkbenchViolations(reportDirectedAtType),
}

func reportDirectedAtType(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	return lint.Finding{
		Place: b.Place(), Cause: protocol.KindWord(b.Node), Message: "directed_at is " + protocol.ValueText(b.Node) + ", expected the id of a participant",
		Help: "write one id as a string; omit directed_at to address all assistants",
	}
}
