package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var responseByUser = &lint.Rule{
	ID: "WB109", Name: "response-by-user",
	Summary: "A user sends a command-response",
	Rationale: "Responses come from assistants. The service accepts them from any participant, but the app and the " +
		"assistants do not expect one from a user.",
	Evidence:     []string{pageTypes + ": \"Assistants should respond to command messages with a command_response message\""},
	Requirements: []string{"WB-CON-7"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a user responds",
		Make: func() string {
			return said(1, "user", "command", "/say hi", "{}") + said(2, "user", "command-response", "hi", "{}")
		},
		Edits: []string{`"command-response"`, `"chat"`},
		Want:  []string{"WB109 2:79"},
	}},
	Good: []lint.Example{{
		Name: "an assistant responds; a user may send a notice",
		Make: func() string {
			return said(1, "user", "notice", "User joined the conversation", "{}") + said(2, "user", "command", "/say hi", "{}") + said(3, "assistant", "command-response", "hi", "{}")
		},
	}},
	New: newResponseByUser,
}

func newResponseByUser(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if m.Role == workbench.User {
			p.Report(lint.Finding{
				Place: m.At(m.RoleNode), Message: "command-response from a user, expected from an assistant",
				Help: "send a chat or a command, or let the assistant send the response",
			})
		}
	}, workbench.Response)}
}
