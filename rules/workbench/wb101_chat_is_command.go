package workbench

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var noCommandName = lint.SeverityCase{Severity: lint.SeverityNote, When: "no name after the slash, such as a path"}

var chatIsCommand = &lint.Rule{
	ID: "WB101", Name: "chat-is-command",
	Summary: "A chat message starts with a slash",
	Rationale: "The web app converts a chat that starts with a slash to a command; the service does not. A client that " +
		"posts /help as a chat gets a response of the language model, or none, and the command does not run. Text after the slash that names no command, " +
		"such as a path, is a note: the app converts that, too. Assistants should send a command, too: the app shows the text of a model that begins with a " +
		"slash as a chat, and no assistant takes it for a command.",
	Evidence: []string{
		pageTypes + ": \"Any chat messages that start with a / will be automatically converted to a command message in the user interface and assistants should do the same\"",
		"semanticworkbench, InteractInput.tsx, updateInput(): tests the text before trimming it",
	},
	Requirements: []string{"WB-CON-1"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{noCommandName}, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "a command posted as a chat",
		Make:  func() string { return said(1, "user", "chat", "/help", "{}") },
		Edits: []string{`"chat"`, `"command"`},
		Want:  []string{"WB101 1:285"},
	}, {
		Name:  "a command that an assistant sends as a chat",
		Input: `{"message_type": "chat", "content": "/reset", "sender": {"participant_role": "assistant", "participant_id": "explorer"}}` + "\n",
		Edits: []string{`"chat"`, `"command"`},
		Want:  []string{"WB101 1:37"},
	}, {
		Name:  "a path",
		Make:  func() string { return said(1, "user", "chat", "/usr/local/bin is on my PATH.", "{}") },
		Edits: []string{`"/usr`, `"The directory /usr`},
		Want:  []string{"WB101 1:285"},
	}},
	Good: []lint.Example{{
		Name: "a slash inside a chat",
		Make: func() string {
			return said(1, "user", "chat", "What is in /usr/local/bin?", "{}") + said(2, "assistant", "chat", "Then /etc/paths names it.", "{}")
		},
	}},
	New: newChatIsCommand,
}

func newChatIsCommand(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if !strings.HasPrefix(m.Content, "/") {
			return
		}
		f := lint.Finding{
			Place: m.At(m.ContentNode), Message: "chat starts with the command " + protocol.Quoted(workbench.CommandName(m.Content)),
			Help: `send it with message_type "command"; the service does not convert it`,
		}
		switch {
		case workbench.CommandName(m.Content) == "":
			f.Severity, f.Message = noCommandName.Severity, "chat starts with a slash"
			f.Help = "put another character before the slash, unless it is a command; the web app sends such a text as one"
		case m.Role == workbench.Assistant:
			f.Help = `send it with message_type "command", as assistants should, or begin the text with another character`
		}
		p.Report(f)
	}, workbench.Chat)}
}
