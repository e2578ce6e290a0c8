package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var chatIsCommand = &lint.Rule{
	ID: "WB101", Name: "chat-is-command", Since: "0.1",
	Summary: "A chat message starts like a command",
	Rationale: "The web app converts a chat that starts with a slash to a command; the service does not. A client that " +
		"posts /help as a chat gets a response of the language model, or none, and the command does not run. File paths " +
		"are not reported. Assistants should send a command, too: the app shows the text of a model that begins with a " +
		"slash as a chat, and no assistant takes it for a command.",
	Evidence: []string{
		pageTypes + ": \"Any chat messages that start with a / will be automatically converted to a command message in the user interface and assistants should do the same\"",
		"semanticworkbench, InteractInput.tsx, updateInput(): tests the text before trimming it",
	},
	Requirements: []string{"WB-CON-1"},
	Severity:     lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a command posted as a chat",
		Make: func() string { return said(1, "user", "chat", "/help", "{}") },
		Want: []string{"WB101 1:285"},
	}, {
		Name:  "a command that an assistant sends as a chat",
		Input: `{"message_type": "chat", "content": "/reset", "sender": {"participant_role": "assistant", "participant_id": "explorer"}}` + "\n",
		Want:  []string{"WB101 1:37"},
	}},
	Good: []lint.Example{{
		Name: "a path is not a command",
		Make: func() string {
			return said(1, "user", "chat", "/usr/local/bin is on my PATH.", "{}") + said(2, "assistant", "chat", "Then /etc/paths names it.", "{}")
		},
	}},
	New: newChatIsCommand,
}

func newChatIsCommand(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		name := workbench.CommandName(m.Content)
		if name == "" {
			return
		}
		help := `send it with message_type "command"; the service does not convert it`
		if m.Role == workbench.Assistant {
			help = `send it with message_type "command", as assistants should, or begin the text with another character`
		}
		p.Report(lint.Finding{Place: m.At(m.ContentNode), Message: "chat starts with the command " + protocol.Quoted(name), Help: help})
	}, workbench.Chat)}
}
