package workbench

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var commandWithoutSlash = &lint.Rule{
	ID: "WB106", Name: "command-without-slash",
	Summary: "A command does not begin with a slash",
	Rationale: "Assistants use the first word of a command as its name, and their command names start with a slash: a " +
		"command without one is usually ignored. A form of the app sends JSON instead, for an assistant that requested " +
		"it. Commands of assistants are not reported.",
	Evidence: []string{
		pageTypes + ": a chat that starts with a slash becomes a command; it is unspecified whether every command has one",
		"semanticworkbench, MessageContent.tsx, onSubmit(): sends {\"command\": …, \"parameters\": …}",
	},
	Requirements: []string{"WB-CON-4"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a command without a slash",
		Make: func() string { return said(1, "user", "command", "help", "{}") },
		Want: []string{"WB106 1:288"},
	}},
	Good: []lint.Example{{Name: "a command with a slash", Make: func() string { return said(1, "user", "command", "/help", "{}") }}},
	New:  newCommandWithoutSlash,
}

func newCommandWithoutSlash(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if m.Role == workbench.Assistant || m.ContentNode == nil || m.ContentNode.Kind != source.String || strings.HasPrefix(m.Content, "/") {
			return
		}
		help := "start it with a slash, as in /help"
		if strings.HasPrefix(strings.TrimSpace(m.Content), "{") {
			help = "send JSON, as a form of the app does, only to an assistant that requested it"
		}
		p.Report(lint.Finding{Place: m.At(m.ContentNode), Message: "command does not start with a slash", Help: help})
	}, workbench.Command)}
}
