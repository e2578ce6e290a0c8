package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var directedAtElsewhere = &lint.Rule{
	ID: "WB111", Name: "directed-at-elsewhere", Since: "0.1",
	Summary: "A message that is no command has directed_at",
	Rationale: "It is meant for commands, but some assistants read it on any message, and keep silent if it is not their id. The web app " +
		"keeps the choice of a target, so that it lands on the chats that follow, which then seem to get no answer.",
	Evidence: []string{
		pageTypes + ": directed_at specifies the target of the command",
		"semanticworkbench, web app: InteractInput.tsx and InputOptionsControl.tsx, which do not reset the choice",
	},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a chat that kept its target",
		Make: func() string { return said(1, "user", "chat", "Hello!", `{"directed_at": "`+exampleHelper+`"}`) },
		Want: []string{"WB111 1:340"},
	}},
	Good: []lint.Example{{Name: "a command with a target", Make: func() string { return said(1, "user", "command", "/help", `{"directed_at": "`+exampleHelper+`"}`) }}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnSaid(func(m *workbench.Message) {
			if n := m.Meta("directed_at"); n != nil && n.Kind == source.String && m.Target() != "all" && (m.Type != workbench.Chat || workbench.CommandName(m.Content) == "") {
				p.Report(lint.Finding{
					Place: m.At(n), Message: protocol.WithArticle(m.Type) + " with directed_at, which is meant for commands",
					Help: "leave it out: assistants with another id do not answer the message",
				})
			}
		}, workbench.Chat, workbench.Response, workbench.Log, workbench.Note, workbench.Notice))
	},
}
