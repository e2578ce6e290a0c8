package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var eventName = &lint.Rule{
	ID: "WB201", Name: "event-name",
	Summary: "An event has an unknown name",
	Rationale: "Assistants refuse an event whose name their model does not define, and a client that listens for specific " +
		"names never receives it. message.updated does not exist: messages are created and deleted, but never changed.",
	Evidence:     []string{modelOf + "ConversationEventType, with 14 names"},
	Requirements: []string{"WB-EVT-1"},
	Severity:     lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a changed message",
		Make: func() string {
			return announced(1, "message.created", bringing(hello())) + announced(2, "message.updated", bringing(hello()))
		},
		Want: []string{"WB201 2:134"},
	}},
	Good: []lint.Example{{Name: "a created message", Make: func() string { return announced(1, "message.created", bringing(hello())) }}},
	New:  newEventName,
}

func newEventName(p *lint.Pass) []lint.Hook {
	report := func(place source.Place, name string) {
		help := expected(name, workbench.EventNames())
		if name == "message.updated" {
			help = "delete the message and create a new one; messages are never changed"
		}
		p.Report(lint.Finding{Place: place, Message: "unknown event " + protocol.Quoted(name), Help: help})
	}
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		report(b.Place(), b.Node.Text())
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		r := e.Record
		if r.Shape == workbench.ShapePayload && r.Event != "" && !slices.Contains(workbench.EventNames(), r.Event) {
			report(r.Source.Place(), r.Event)
		}
	})}
}
