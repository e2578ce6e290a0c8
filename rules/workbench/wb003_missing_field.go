package workbench

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var (
	noDebugFlag     = lint.SeverityCase{Severity: lint.SeverityNote, When: "has_debug_data"}
	defaultedColumn = lint.SeverityCase{Severity: lint.SeverityWarning, When: "column of an export that has a default"}
	misnamedField   = lint.SeverityCase{Severity: lint.SeverityWarning, When: "misspelled optional field"}
)

var missingField = &lint.Rule{
	ID: "WB003", Name: "missing-field",
	Summary: "A message, participant or event lacks a required field",
	Rationale: "Clients parse the service's responses into models with required fields; a missing one raises an exception. " +
		"A message that does not show itself as an answer of the service, by an id or has_debug_data, needs only its content. Messages that the .NET connector stores on disk have no " +
		"filenames. has_debug_data exists since 2024-11-04: a missing one is a note. An optional field is " +
		"reported if another key nearly matches its name. An import refuses a line of an export that lacks a column, unless " +
		"the column has a default: that is a warning.",
	Evidence: []string{
		modelOf + "ConversationMessage, NewConversationMessage, ConversationParticipant, ConversationEvent",
		"semanticworkbench a79cc7e2 (2024-11-04): has_debug_data",
	},
	Requirements: []string{"WB-MSG-3"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{noDebugFlag, defaultedColumn, misnamedField},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a message without a sender",
		Make: func() string {
			return hello() + example.Altered(said(2, "user", "chat", "Is anyone there?", "{}"), `"sender": {"participant_role": "user", "participant_id": "`+exampleUser+`"}, `, "")
		},
		Edits: []string{`", "message_type":`, `", "sender": {"participant_role": "assistant", "participant_id": "cda53796-4fe4-49a7-8175-ee227d405e7e"}, "message_type":`},
		Want:  []string{"WB003 2:1"},
	}, {
		Name: "a misspelled type: the service makes a chat of the command",
		Make: func() string {
			return example.Altered(said(1, "user", "command", "/help", "{}"), "message_type", "mesage_type") + said(2, "assistant", "chat", "Hello!", "{}")
		},
		Edits: []string{`"mesage_type": "command", "timestamp": "2025-03-03T20:01:01Z", "content_type": "text/plain", "content": "/help", "filenames": [], "metadata": {}, "has_debug_data": false}
{"id": "00000000-0000-4000-8000-000000000002", "sender": {"participant_role": "assistant", "participant_id": "cda53796-4fe4-49a7-8175-ee227d405e7e"}, "message_type": "chat"`, `"message_type": "command", "timestamp": "2025-03-03T20:01:01Z", "content_type": "text/plain", "content": "/help", "filenames": [], "metadata": {}, "has_debug_data": false}
{"id": "00000000-0000-4000-8000-000000000002", "sender": {"participant_role": "assistant", "participant_id": "cda53796-4fe4-49a7-8175-ee227d405e7e"}, "message_type": "command-response"`},
		Want: []string{"WB003 1:183"},
	}},
	Good: []lint.Example{{
		Name: "all fields, and a type that is chat because it is missing",
		Make: func() string { return example.Altered(hello(), `"message_type": "chat", `, "") },
	}, {
		Name:  "a request needs nothing but its content",
		Input: `{"content": "/help", "message_type": "command"}` + "\n" + `{"content": "hello"}` + "\n",
	}},
	New: newMissingField,
}

func newMissingField(p *lint.Pass) []lint.Hook {
	var incomplete *workbench.Record // the last record with a misspelled has_debug_data, or that lacks required fields
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		if !b.AtKey || b.Key == "has_debug_data" {
			incomplete = b.Record
		}
		if !b.AtKey {
			p.Report(missingFields(b))
			return
		}
		p.Report(lint.Finding{ // a key that nearly matches an optional field
			Place: b.Record.Source.PlaceOfKey(b.Node), Severity: misnamedField.Severity,
			Message: "unknown key " + protocol.Quoted(b.Node.Name),
			Help:    protocol.DidYouMean(b.Key),
		})
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		m := e.Message
		if m == nil || e.Record == incomplete || protocol.WorkbenchStateOf(p).FromConnector {
			return
		}
		if m.Stored() && m.Record.Shape != workbench.ShapeExport && m.Node.Member("has_debug_data") == nil {
			p.Report(lint.Finding{
				Place: m.Place(), Severity: noDebugFlag.Severity,
				Message: "has_debug_data is missing",
				Help:    "record the messages again; a service since 2024-11-04 writes it",
			})
		}
	})}
}

// missingFields returns the finding about missing required fields.
func missingFields(b *protocol.WorkbenchViolation) lint.Finding {
	owner, table := strings.TrimSuffix(b.Type, "s"), b.Record.Table() // an element of participants is a participant
	switch shape := b.Record.Shape; {
	case owner == "" && shape.List != "":
		owner = shape.Schema
	case owner == "" || owner == "data":
		owner = cmp.Or(table, shape.String())
	}
	effect := "a client that reads the " + owner + " raises an exception"
	switch b.Record.Shape {
	case workbench.ShapeExport:
		effect = "an import raises an exception"
	case workbench.ShapeRequest:
		effect = "the service refuses the request"
	}
	help := "add it; " + effect + " without it"
	if len(b.Expected) > 1 {
		help = "add them; " + effect + " without them"
	}
	if nearest, ok := spelling.Nearest(b.Instead, b.Expected); ok {
		help = "rename " + protocol.Quoted(b.Instead) + " to " + protocol.Quoted(nearest)
	}
	f := lint.Finding{Place: b.Place(), Message: owner + " has no " + protocol.AllOf(protocol.AllQuoted(b.Expected)), Help: help}
	isRequired := func(column string) bool {
		return !slices.Contains(defaulted, column) && (column != "name" || table == "Assistant")
	}
	// The time of a message has a default, too, but is lost.
	if table != "" && table != "ConversationMessage" && !slices.ContainsFunc(b.Expected, isRequired) {
		f.Severity = defaultedColumn.Severity
		f.Help = "export the conversation again; an import fills in a default"
	}
	return f
}

// defaulted are the columns of an export that have a default.
var defaulted = []string{"created_datetime", "meta_data", "image", "service_user", "joined_datetime", "status", "status_updated_datetime", "active_participant", "data"}
