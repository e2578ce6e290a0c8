package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var eventPayload = &lint.Rule{
	ID: "WB202", Name: "event-payload",
	Summary: "An event lacks the payload that its name requires",
	Rationale: "Assistants read data.message of message.created, data.participant of participant.updated and so on " +
		"unconditionally, and raise an exception if it is missing. Additional keys are valid: interceptors add their own.",
	Evidence: []string{
		"semanticworkbench, service.py, conversation_server_sent_events(), and controller/conversation.py, create_conversation_message() and others: the data of each event",
		"semanticworkbench, Webservice.cs: captured events about states and files",
	},
	Requirements: []string{"WB-EVT-2"},
	Severity:     lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a new message without the message",
		Make: func() string { return announced(1, "message.created", `{"id": "`+exampleID(1)+`"}`) },
		Want: []string{"WB202 1:198"},
	}},
	Good: []lint.Example{{Name: "a new message", Make: func() string { return announced(1, "message.created", bringing(hello())) }}},
	New:  protocol.ReportWorkbenchViolations(reportEventPayload),
}

func reportEventPayload(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	if b.Found() != "" {
		return lint.Finding{
			Place: b.Place(), Cause: b.Type + " " + protocol.KindWord(b.Node), Message: protocol.Quoted(b.Type) + " of the event is " + protocol.ValueText(b.Node) + ", expected " + asList(b.Expected),
			Help: "send the subject of the event as " + asList(b.Expected),
		}
	}
	event := "event "
	if b.Record.Event != "" {
		event += protocol.Word(b.Record.Event) + " "
	}
	missing, where := protocol.AllOf(protocol.AllQuoted(b.Expected)), " to the data of the event"
	if slices.Contains(b.Expected, "data") {
		where = " with the subject of the event"
	}
	return lint.Finding{Place: b.Place(), Message: event + "has no " + missing, Help: "add " + missing + where}
}
