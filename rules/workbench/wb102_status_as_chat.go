package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var statusAsChat = &lint.Rule{
	ID: "WB102", Name: "status-as-chat", Since: "0.1",
	Summary: "An assistant sends what it is doing as a chat",
	Rationale: "A chat stays in the conversation, and counts as history: the next request to the model has \"thinking...\" in it. The " +
		"place for it is the status of the participant, which the app shows and forgets.",
	Evidence: []string{
		pageTypes + ": \"Assistants should not use the chat message type for … status updates (like \"thinking...\" or \"typing...\")\"",
		modelOf + "UpdateParticipant.status; all of the repository's assistants use it",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "thinking aloud",
		Make: func() string { return hello() + said(2, "assistant", "chat", "thinking...", "{}") },
		Want: []string{"WB102 2:253"},
	}},
	Good: []lint.Example{{
		Name: "a sentence about thinking",
		Make: func() string {
			return hello() + said(2, "assistant", "chat", "I was thinking... how about a walk?", "{}")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnSaid(func(m *workbench.Message) {
			if m.Role == workbench.User || !status().MatchString(m.Content) {
				return
			}
			p.Report(lint.Finding{
				Place: m.At(m.ContentNode), Message: "the chat " + protocol.Quoted(m.Content) + " says only what the sender is doing",
				Help: "set the participant's status instead: the app shows it, and it stays out of the history",
			})
		}, workbench.Chat))
	},
}
