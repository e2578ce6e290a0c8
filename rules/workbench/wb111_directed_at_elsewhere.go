package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var directedAtElsewhere = &lint.Rule{
	ID: "WB111", Name: "directed-at-elsewhere",
	Summary: "directed_at is set on a message that is not a command",
	Rationale: "directed_at is for commands, but some assistants read it on every message and ignore messages with another " +
		"id. The web app keeps the selected target, so that it is set on later chats, which then seem to get no response.",
	Evidence: []string{
		pageTypes + ": directed_at specifies the target of the command",
		"semanticworkbench, InteractInput.tsx, handleSend(), and InputOptionsControl.tsx, handleDirectedToChange(): the target is not reset",
	},
	Requirements: []string{"WB-CON-9"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a chat with the target of an earlier command",
		Make: func() string { return said(1, "user", "chat", "Hello!", `{"directed_at": "`+exampleHelper+`"}`) },
		Want: []string{"WB111 1:340"},
	}},
	Good: []lint.Example{{Name: "a command with a target", Make: func() string { return said(1, "user", "command", "/help", `{"directed_at": "`+exampleHelper+`"}`) }}},
	New:  newDirectedAtElsewhere,
}

func newDirectedAtElsewhere(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if n := m.Meta("directed_at"); n != nil && n.Kind == source.String && m.Target() != "all" && (m.Type != workbench.Chat || workbench.CommandName(m.Content) == "") {
			p.Report(lint.Finding{
				Place: m.At(n), Message: "unexpected directed_at on " + protocol.WithArticle(m.Type),
				Help: "remove it; assistants with another id ignore the message",
			})
		}
	}, workbench.Chat, workbench.Response, workbench.Log, workbench.Note, workbench.Notice)}
}
