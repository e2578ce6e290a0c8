package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var serviceSender = &lint.Rule{
	ID: "WB122", Name: "service-sender",
	Summary: "A message has a service as its sender",
	Rationale: "Services can be participants, but the service of the workbench stores every message with role user or " +
		"assistant. A message of a service does not come from there.",
	Evidence:     []string{"semanticworkbench, controller/conversation.py, create_conversation_message(): a message gets the role of its principal, user or assistant"},
	Requirements: []string{"WB-CON-15"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message of a service",
		Make: func() string { return said(1, "service", "chat", "Maintenance at noon.", "{}") },
		Want: []string{"WB122 1:79"},
	}},
	Good: []lint.Example{{Name: "a message of an assistant", Make: func() string { return said(1, "assistant", "chat", "Maintenance at noon.", "{}") }}},
	New:  newServiceSender,
}

func newServiceSender(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
		if e.Message.Role == workbench.Service {
			p.Report(lint.Finding{
				Place: e.Message.At(e.Message.RoleNode), Message: "message sender is a service, expected a user or an assistant",
				Help: "check the origin of the recording; the workbench stores no such message",
			})
		}
	})}
}
