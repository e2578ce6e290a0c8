package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var unknownSender = &lint.Rule{
	ID: "WB123", Name: "unknown-sender",
	Summary: "A sender is not a participant of the conversation",
	Rationale: "The app shows \"Participant not found\" instead of the message. A participant that left the conversation is " +
		"still a participant. Checked only in inputs that list the participants: an export, or events about participants.",
	Evidence:     []string{"semanticworkbench, InteractHistory.tsx, InteractHistory: \"Participant not found\" takes the place of a message whose sender is not among the participants"},
	Requirements: []string{"WB-CON-15"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a sender that is not listed",
		Make: func() string {
			return announced(1, "participant.created", takingPart()) +
				announced(2, "message.created", bringing(saidBy(2, "assistant", exampleOther, "chat", "Hi!", "{}")))
		},
		Edits: []string{`"d0aa42aa-5ecd-4d3d-a181-7143795dacf9"`, `"cda53796-4fe4-49a7-8175-ee227d405e7e"`},
		Want:  []string{"WB123 2:319"},
	}},
	Good: []lint.Example{{
		Name: "a sender that is a participant",
		Make: func() string {
			return announced(1, "participant.created", takingPart()) + announced(2, "message.created", bringing(said(2, "assistant", "chat", "Hi!", "{}")))
		},
	}},
	New: protocol.ReportWorkbench(workbench.UnknownSender, reportUnknownSender),
}

func reportUnknownSender(e *workbench.Event) lint.Finding {
	return lint.Finding{
		Place: e.Place, Message: "sender " + protocol.Quoted(e.Name) + " is not a participant of the conversation",
		Help: "correct the id, or record the participant",
	}
}
