package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var toolResultNotNote = &lint.Rule{
	ID: "WB119", Name: "tool-result-not-note",
	Summary:   "A tool result is in a message that is not a note",
	Rationale: "The app shows tool results only in notes; in a chat it shows only the content, and in a log nothing.",
	Evidence: []string{
		"semanticworkbench, InteractHistory.tsx, InteractHistory: tests for a note with tool_result",
		pageMetadata + " says that the type is irrelevant; the navigator assistant uses log",
	},
	Requirements: []string{"WB-CON-13"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a result in a chat",
		Make: func() string {
			return said(1, "assistant", "chat", "x", `{"tool_calls": [{"id": "call_1", "name": "view", "arguments": {}}], "tool_result": {"tool_call_id": "call_1"}}`)
		},
		Want: []string{"WB119 1:355"},
	}},
	Good: []lint.Example{{
		Name: "a result in a note",
		Make: func() string {
			return said(1, "assistant", "note", "x", `{"tool_calls": [{"id": "call_1", "name": "view", "arguments": {}}], "tool_result": {"tool_call_id": "call_1"}}`)
		},
	}},
	New: newToolResultNotNote,
}

func newToolResultNotNote(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnMessage(func(m *workbench.Message) {
		if n := m.Meta("tool_result"); n != nil {
			p.Report(lint.Finding{
				Place: m.Record.Source.PlaceOfKey(n), Message: "tool result in " + protocol.WithArticle(m.Type) + ", expected in a note",
				Help: "send it as a note; the app shows tool results only in notes",
			})
		}
	}, workbench.Chat, workbench.Log, workbench.Notice, workbench.Command, workbench.Response)}
}
