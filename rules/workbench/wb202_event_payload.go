package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var eventPayload = &lint.Rule{
	ID: "WB202", Name: "event-payload", Since: "0.1",
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
	New:  newEventPayload,
}

func newEventPayload(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		f := lint.Finding{Place: b.Place()}
		if b.Found != "" {
			f.Help = "send the subject of the event as " + asList(b.Expected)
			f.Message = protocol.Quoted(b.Type) + " of the event is " + protocol.ValueText(b.Node) + ", expected " + asList(b.Expected)
			p.Report(f)
			return
		}
		keys := make([]string, len(b.Expected))
		for i, key := range b.Expected {
			keys[i] = protocol.Quoted(key)
		}
		f.Message = "event " + eventNamed(b) + "has no " + protocol.AllOf(keys)
		f.Help = "add " + protocol.AllOf(keys) + " to the data of the event"
		p.Report(f)
	})}
}

// eventNamed returns the event's name and a space, or "".
func eventNamed(b *protocol.WorkbenchViolation) string {
	if b.Record.Event == "" {
		return ""
	}
	return protocol.Word(b.Record.Event) + " "
}
