package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var commandByAnother = lint.SeverityCase{Severity: lint.SeverityNote, When: "sender other than a user"}

var chatIsCommand = &lint.Rule{
	ID: "WB101", Name: "chat-is-command", Since: "0.1",
	Summary: "A chat message starts like a command",
	Rationale: "The web app converts a chat that starts with a slash to a command; the service does not. A client that " +
		"posts /help as a chat gets a response of the language model, or none, and the command does not run. File paths " +
		"are not reported. For an assistant, or an unknown sender, it is a note: models start lines with anything.",
	Evidence: []string{
		pageTypes + ": \"Any chat messages that start with a / will be automatically converted to a command message in the user interface and assistants should do the same\"",
		"semanticworkbench, web app: InteractInput.tsx, which tests the text before trimming it",
	},
	Requirements: []string{"WB-CON-1"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{commandByAnother},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a command posted as a chat",
		Make: func() string { return said(1, "user", "chat", "/help", "{}") },
		Want: []string{"WB101 1:285"},
	}},
	Good: []lint.Example{{
		Name: "a path is not a command",
		Make: func() string {
			return said(1, "user", "chat", "/usr/local/bin is on my PATH.", "{}") + said(2, "assistant", "chat", "Then /etc/paths names it.", "{}")
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
			name := workbench.CommandName(m.Content)
			if name == "" {
				return
			}
			f := lint.Finding{
				Place: m.At(m.ContentNode), Message: "chat starts with the command " + protocol.Quoted(name),
				Help: `send it with message_type "command"; the service does not convert it`,
			}
			if m.Role != workbench.User {
				f.Severity = commandByAnother.Severity
			}
			p.Report(f)
		}, workbench.Chat)}
	},
}
