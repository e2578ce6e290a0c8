package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var chatIsCommand = &lint.Rule{
	ID: "WB101", Name: "chat-is-command", Since: "0.1",
	Summary: "A chat begins as a command does",
	Rationale: "The web app makes a command of a chat that begins with a slash; the service converts nothing. A client that posts /help as " +
		"a chat gets an answer of the language model, or none, and the command is not run. What begins as a path does is left alone. " +
		"Of an assistant's text, and where the sender is not known, it is a note: models begin lines as they like.",
	Evidence: []string{
		pageTypes + ": \"Any chat messages that start with a / will be automatically converted to a command message in the user interface and assistants should do the same\"",
		"semanticworkbench, web app: InteractInput.tsx, which looks at the text before it is trimmed",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a command that a client posts as a chat",
		Make: func() string { return said(1, "user", "chat", "/help", "{}") },
		Want: []string{"WB101 1:285"},
	}},
	Good: []lint.Example{{
		Name: "a path is no command",
		Make: func() string {
			return said(1, "user", "chat", "/usr/local/bin is on my PATH.", "{}") + said(2, "assistant", "chat", "Then /etc/paths names it.", "{}")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnSaid(func(m *workbench.Message) {
			name := workbench.CommandName(m.Content)
			if name == "" {
				return
			}
			f := lint.Finding{
				Place: m.At(m.ContentNode), Message: "the chat begins with the command " + protocol.Quoted(name),
				Help: `send it with message_type "command": the service converts nothing`,
			}
			if m.Role != workbench.User {
				f.Severity = lint.SeverityNote
			}
			p.Report(f)
		}, workbench.Chat))
	},
}
