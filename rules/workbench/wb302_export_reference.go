package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var assistantElsewhere = lint.SeverityCase{Severity: lint.SeverityNote, When: "assistant that is not part of the export"}

var exportReference = &lint.Rule{
	ID: "WB302", Name: "export-reference",
	Summary: "An export line references an entry that does not precede it",
	Rationale: "An import reads the lines in order and maps old ids to new ones. A message, participant or file before or " +
		"without its conversation, debug data without its message, a version without its file, and an assistant's id that " +
		"is not a UUID raise an exception, and nothing is imported. A participant whose assistant is not part of the " +
		"export is a note: a service that has the assistant imports it.",
	Evidence: []string{
		"semanticworkbench, controller/export_import.py, export_file(): the order of the tables",
		"semanticworkbench, controller/export_import.py, import_files(): the sender of an assistant's message is parsed as a UUID",
	},
	Requirements: []string{"WB-EXP-2"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{assistantElsewhere},
	Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
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
	New: newExportReference,
}

func newExportReference(p *lint.Pass) []lint.Hook {
	report := func(e *workbench.Event, key, message, help string, severity lint.Severity) {
		p.Report(lint.Finding{Place: e.Record.Source.PlaceOf(e.Record.Data.Member(key)), Severity: severity, Cause: help, Message: message, Help: help})
	}
	notUUID := func(e *workbench.Event, key string) {
		if id := e.Record.Data.Member(key); id != nil && id.Kind == source.String && !workbench.IsPythonUUID(id.Text()) {
			report(e, key, "assistant id is "+protocol.Quoted(id.Text())+", expected a UUID", "write the UUID of the assistant; an import fails to parse any other id", 0)
		}
	}
	return []lint.Hook{protocol.OnWorkbench(workbench.MissingConversation, func(e *workbench.Event) {
		kind := "participant"
		switch e.Record.Table() {
		case "ConversationMessage":
			kind = "message"
		case "File":
			kind = "file"
		}
		report(e, "conversation_id", "conversation of the "+kind+" does not precede it", "write the Conversation before its messages, participants and files", 0)
	}), protocol.OnWorkbench(workbench.MissingFile, func(e *workbench.Event) {
		report(e, "file_id", "file of the version does not precede it", "write the File first, or remove its version", 0)
	}), protocol.OnWorkbench(workbench.MissingAssistant, func(e *workbench.Event) {
		report(e, "assistant_id", "assistant of the participant is not part of the export",
			"export its conversation; a service without the assistant refuses the import", assistantElsewhere.Severity)
	}), protocol.OnWorkbench(workbench.MissingMessage, func(e *workbench.Event) {
		report(e, "message_id", "message of the debug data does not precede it", "write the ConversationMessage first, or remove the debug data", 0)
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		if e.Record.Table() == "FileVersion" && e.Record.Data.Member("participant_role").Text() == workbench.Assistant {
			notUUID(e, "participant_id")
		}
	}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
		if e.Record.Shape == workbench.ShapeExport && e.Message.Role == workbench.Assistant {
			notUUID(e, "sender_participant_id")
		}
	})}
}
