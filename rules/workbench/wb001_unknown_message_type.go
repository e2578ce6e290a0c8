package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var unknownMessageType = &lint.Rule{
	ID: "WB001", Name: "unknown-message-type",
	Summary: "A message has an unknown type",
	Rationale: "The service refuses the message, and an import fails. The types are chat, command, command-response, log, " +
		"note and notice, in lower case; a message without a type is a chat.",
	Evidence: []string{
		pageTypes + ": chat, log, note, notice, command and the response to a command",
		modelOf + "MessageType; it also refuses null, Chat and the empty string",
	},
	Requirements: []string{"WB-MSG-1"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name:  "a role instead of a type",
		Make:  func() string { return hello() + said(2, "assistant", "system", "You are helpful.", "{}") },
		Edits: []string{`"system"`, `"note"`},
		Want:  []string{"WB001 2:167"},
	}, {
		Name: "a capital letter",
		Make: func() string { return said(1, "user", "Chat", "Hello!", "{}") },
		Want: []string{"WB001 1:199"},
	}, {
		Name:  "a type of LMC",
		Make:  func() string { return hello() + said(2, "assistant", "message", "Hi!", "{}") },
		Edits: []string{`"message"`, `"chat"`},
		Want:  []string{"WB001 2:167"},
	}},
	Good: []lint.Example{{
		Name: "one of the six types",
		Make: func() string { return hello() + said(2, "assistant", "note", "Steps that I took.", "{}") },
	}},
	New: protocol.ReportWorkbenchViolations(reportUnknownMessageType),
}

func reportUnknownMessageType(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	f := lint.Finding{
		Place:   b.Place(),
		Message: "unknown message type " + b.Found(),
		Help:    expected(b.Node.Text(), workbench.MessageTypes()),
		Fix:     offer.CorrectWord(b.Record.Source, b.Node, workbench.MessageTypes()),
	}
	if protocol.IsLMCType(b.Node.Text()) {
		f.Help = protocol.Word(b.Node.Text()) + " is a type of LMC, whose records have a role and a type instead of sender and message_type; expected " + protocol.AnyOf(workbench.MessageTypes())
	}
	return f
}
