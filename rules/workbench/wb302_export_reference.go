package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var exportReference = &lint.Rule{
	ID: "WB302", Name: "export-reference", Since: "0.1",
	Summary: "A line of an export refers to what has not come before it",
	Rationale: "An import reads the lines in order and maps old ids to new ones. A message before or without its conversation, debug data " +
		"without its message, and an assistant's id that is no UUID raise an exception, and nothing is imported.",
	Evidence: []string{
		"semanticworkbench, export_import.py: the order of the tables",
		"semanticworkbench, controller/assistant.py: the sender of an assistant's message is read as a UUID",
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
			at(e, "conversation_id", "the conversation of the message has not come before it", "write the Conversation first, and the messages behind it")
		}), protocol.OnWorkbench(workbench.MissingMessage, func(e *workbench.Event) {
			at(e, "message_id", "the message of the debug data has not come before it", "write the ConversationMessage first, or leave the debug data out")
		}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
			if e.Record.Shape != workbench.ShapeExport || e.Message.Role != workbench.Assistant || e.Message.SenderID == "" {
				return
			}
			if _, form := workbench.ParseUUID(e.Message.SenderID); form == workbench.NoUUID {
				at(e, "sender_participant_id", "the id of an assistant is "+protocol.Quoted(e.Message.SenderID)+", expected a UUID", "an import reads it as a UUID, and fails")
			}
		})}
	},
}
