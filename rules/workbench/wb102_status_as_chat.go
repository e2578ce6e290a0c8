package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var statusAsChat = &lint.Rule{
	ID: "WB102", Name: "status-as-chat",
	Summary: "An assistant sends its status as a chat message",
	Rationale: "A chat stays in the conversation and is part of the history: the next request to the model contains " +
		"\"thinking...\". Use the status of the participant, which the app shows and does not store.",
	Evidence: []string{
		pageTypes + ": \"Assistants should not use the chat message type for … status updates (like \"thinking...\" or \"typing...\")\"",
		modelOf + "UpdateParticipant.status; all of the repository's assistants use it",
	},
	Requirements: []string{"WB-CON-2"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a status in a chat",
		Make: func() string { return hello() + said(2, "assistant", "chat", "thinking...", "{}") },
		Want: []string{"WB102 2:253"},
	}},
	Good: []lint.Example{{
		Name: "a sentence about thinking",
		Make: func() string {
			return hello() + said(2, "assistant", "chat", "I was thinking... how about a walk?", "{}")
		},
	}},
	New: newStatusAsChat,
}

func newStatusAsChat(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if m.Role == workbench.User || !status().MatchString(m.Content) {
			return
		}
		p.Report(lint.Finding{
			Place: m.At(m.ContentNode), Message: "chat " + protocol.Quoted(m.Content) + " only reports the sender's status",
			Help: "set the status of the participant instead; it does not become part of the history",
		})
	}, workbench.Chat)}
}
