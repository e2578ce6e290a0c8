package workbench

import (
	"strings"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var commandWithoutSlash = &lint.Rule{
	ID: "WB106", Name: "command-without-slash", Since: "0.1",
	Summary: "A command does not begin with a slash",
	Rationale: "Assistants take the first word of a command for its name and know their commands with a slash, so that one without is " +
		"mostly ignored. A form of the app sends JSON in its place, for an assistant that asked for it. What an assistant sends as a command is left alone.",
	Evidence: []string{
		pageTypes + ": a chat that starts with a slash becomes a command; whether each command has one, the page does not say",
		"semanticworkbench, web app: MessageContent.tsx sends {\"command\": …, \"parameters\": …}",
	},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a command without a slash",
		Make: func() string { return said(1, "user", "command", "help", "{}") },
		Want: []string{"WB106 1:288"},
	}},
	Good: []lint.Example{{Name: "a command with a slash", Make: func() string { return said(1, "user", "command", "/help", "{}") }}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnSaid(func(m *workbench.Message) {
			if m.Role == workbench.Assistant || m.ContentNode == nil || m.ContentNode.Kind != source.String || strings.HasPrefix(m.Content, "/") {
				return
			}
			help := "begin it with a slash, as in /help: assistants know their commands so"
			if strings.HasPrefix(strings.TrimSpace(m.Content), "{") {
				help = "a form of the app sends JSON: only an assistant that asked for it understands it"
			}
			p.Report(lint.Finding{Place: m.At(m.ContentNode), Message: "the command does not begin with a slash", Help: help})
		}, workbench.Command))
	},
}
