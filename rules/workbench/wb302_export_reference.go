package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var exportReference = &lint.Rule{
	ID: "WB302", Name: "export-reference", Since: "0.1",
	Summary: "An export line references an entry that does not precede it",
	Rationale: "An import reads the lines in order and maps old ids to new ones. A message before or without its " +
		"conversation, debug data without its message, and an assistant's id that is not a UUID raise an exception, and " +
		"nothing is imported.",
	Evidence: []string{
		"semanticworkbench, export_import.py: the order of the tables",
		"semanticworkbench, controller/assistant.py: the sender of an assistant's message is parsed as a UUID",
	},
	Severity: lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a message before its conversation",
		Make: func() string { return exportedSaid(1, "user", "Hello!") + exportedThread() },
		Want: []string{"WB302 1:132"},
	}, {
		Name: "debug data without its message",
		Make: func() string {
			return exportedThread() + exportedSaid(1, "user", "Hello!") + exported("ConversationMessageDebug", `{"message_id": "`+exampleID(9)+`", "data": {}}`)
		},
		Want: []string{"WB302 3:61"},
	}},
	Good: []lint.Example{{
		Name: "the conversation, its messages, their debug data",
		Make: func() string {
			return exportedThread() + exportedSaid(1, "user", "Hello!") + exported("ConversationMessageDebug", `{"message_id": "`+exampleID(1)+`", "data": {}}`)
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		at := func(e *workbench.Event, key, message, help string) {
			p.Report(lint.Finding{Place: e.Record.Source.PlaceOf(e.Record.Data.Member(key)), Message: message, Help: help})
		}
		return []lint.Hook{protocol.OnWorkbench(workbench.MissingConversation, func(e *workbench.Event) {
			at(e, "conversation_id", "message precedes its conversation", "write the Conversation before its messages")
		}), protocol.OnWorkbench(workbench.MissingMessage, func(e *workbench.Event) {
			at(e, "message_id", "debug data precedes its message", "write the ConversationMessage first, or remove the debug data")
		}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
			if e.Record.Shape != workbench.ShapeExport || e.Message.Role != workbench.Assistant || e.Message.SenderID == "" {
				return
			}
			if !workbench.IsPythonUUID(e.Message.SenderID) {
				at(e, "sender_participant_id", "assistant id is "+protocol.Quoted(e.Message.SenderID)+", expected a UUID", "write the UUID of the assistant; an import fails to parse any other id")
			}
		})}
	},
}
