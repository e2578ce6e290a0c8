package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var deleteUnknown = &lint.Rule{
	ID: "WB203", Name: "delete-unknown",
	Summary: "A deleted message was not created in this stream",
	Rationale: "The stream may start after the message was created, so this is a note. Otherwise events are missing, or an " +
		"id is wrong, and the message stays on the screen.",
	Evidence:     []string{modelOf + "message.deleted contains the deleted message"},
	Requirements: []string{"WB-EVT-3"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an unknown message",
		Make: func() string {
			return announced(1, "message.created", bringing(hello())) + announced(2, "message.deleted", bringing(said(2, "user", "chat", "Oops", "{}")))
		},
		Want: []string{"WB203 2:217"},
	}},
	Good: []lint.Example{{Name: "a created message", Make: func() string {
		return announced(1, "message.created", bringing(hello())) + announced(2, "message.deleted", bringing(hello()))
	}}},
	New: protocol.ReportWorkbench(workbench.UnknownDeletion, reportDeleteUnknown),
}

func reportDeleteUnknown(e *workbench.Event) lint.Finding {
	return lint.Finding{
		Place: e.Message.At(e.Message.ID), Message: "deleted message was not created in this stream",
		Help: "if the stream starts mid-conversation, pass --partial",
	}
}
