package workbench

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var (
	duplicateEvent = lint.SeverityCase{Severity: lint.SeverityWarning, When: "event stream"}
	tooManyIDs     = lint.SeverityCase{Severity: lint.SeverityNote, When: "too many ids to compare"}
)

var duplicateID = &lint.Rule{
	ID: "WB009", Name: "duplicate-id",
	Summary: "Two messages have the same id, or two lines of an export the same key",
	Rationale: "Consumers that store messages by id lose one of the two; an import stores the message twice. An import " +
		"refuses the same participant, file name or debug data twice in a conversation, and the same version of a file. " +
		"In an event stream, a client that reconnected may have recorded a message twice, which is a warning. 262,144 ids " +
		"are kept per input; a note reports more.",
	Evidence: []string{
		"semanticworkbench, db.py, ConversationMessage: message_id is unique; the primary keys of participants, versions and debug data",
		"semanticworkbench, db.py, File: uq_file_conversation_id_filename",
		"semanticworkbench, service.py, conversation_server_sent_events(): event streams continue after a client reconnects",
	},
	Requirements: []string{"WB-MSG-9"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{duplicateEvent, tooManyIDs},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a message twice in a list",
		Make: func() string {
			return listedLines(hello(), said(2, "assistant", "chat", "Hi!", "{}"), said(2, "assistant", "chat", "Hi!", "{}"))
		},
		Want: []string{"WB009 4:8"},
	}, {
		Name: "an event twice in a stream",
		Make: func() string {
			return announced(1, "message.created", bringing(hello())) + announced(1, "message.created", bringing(hello()))
		},
		Want: []string{"WB009 2:217"},
	}, {
		Name: "a file name twice in a conversation of an export",
		Make: func() string { return exportedThread() + exportedFile(1, "notes.txt") + exportedFile(2, "notes.txt") },
		Want: []string{"WB009 3:149"},
	}},
	Good: []lint.Example{{
		Name: "each id once",
		Make: func() string {
			return listedLines(hello(), said(2, "assistant", "chat", "Hi!", "{}"), said(3, "assistant", "chat", "Hi!", "{}"))
		},
	}, {
		Name: "a deleted message occurs a second time",
		Make: func() string {
			return announced(1, "message.created", bringing(hello())) + announced(2, "message.deleted", bringing(hello()))
		},
	}},
	New: newDuplicateID,
}

func newDuplicateID(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbench(workbench.Repeated, func(e *workbench.Event) {
		f := lint.Finding{
			Place:   e.Message.At(e.Message.ID),
			Cause:   "message id",
			Message: fmt.Sprintf("duplicate message id, first on line %d", e.First.Start.Line),
			Help:    "give each message its own id, or remove one of the two",
			Related: []lint.Related{{Message: "first occurrence", Place: e.First.Place()}},
		}
		if e.Record.Streamed() {
			f.Severity, f.Help = duplicateEvent.Severity, "remove one of the two; the client may have reconnected"
		}
		p.Report(f)
	}), protocol.OnWorkbench(workbench.RepeatedKey, func(e *workbench.Event) {
		p.Report(lint.Finding{
			Place:   e.Record.Source.PlaceOf(e.Record.Data.Member(e.Name)),
			Cause:   e.Name,
			Message: fmt.Sprintf("duplicate %s in %s, first on line %d", e.Name, e.Record.Table(), e.First.Start.Line),
			Help:    "remove one of the two; an import refuses both",
			Related: []lint.Related{{Message: "first occurrence", Place: e.First.Place()}},
		})
	}), protocol.OnWorkbench(workbench.LimitReached, func(e *workbench.Event) {
		p.Report(lint.Finding{
			Place: e.Record.Source.Place(), Severity: tooManyIDs.Severity,
			Message: "too many messages, conversations or participants; later ids, order and commands are only partly checked",
			Help:    "check each conversation in its own input",
		})
	})}
}
