package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var disorderedEvents = lint.SeverityCase{Severity: lint.SeverityNote, When: "event stream"}

var timeOrder = &lint.Rule{
	ID: "WB010", Name: "time-order",
	Summary: "A message in a list is older than the preceding one",
	Rationale: "The service returns the oldest message first, and consumers build the history in that order. A reversed " +
		"list turns answers into questions. Times with and without an offset are not compared; a run of messages out of " +
		"order is reported once. In an event stream it is a note, and one second is tolerated for simultaneous messages.",
	Evidence:     []string{"semanticworkbench, controller/conversation.py, get_messages(): messages are returned in the order of their sequence"},
	Requirements: []string{"WB-MSG-10"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{disorderedEvents},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the newest first",
		Make: func() string {
			return listedLines(said(3, "user", "chat", "Thanks!", "{}"), said(2, "assistant", "chat", "Noon.", "{}"), said(1, "user", "chat", "What time is it?", "{}"))
		},
		Want: []string{"WB010 3:188"},
	}},
	Good: []lint.Example{{
		Name: "the oldest first",
		Make: func() string {
			return listedLines(said(1, "user", "chat", "What time is it?", "{}"), said(2, "assistant", "chat", "Noon.", "{}"))
		},
	}},
	New: protocol.ReportWorkbench(workbench.OutOfOrder, reportTimeOrder),
}

func reportTimeOrder(e *workbench.Event) lint.Finding {
	f := lint.Finding{
		Place:   e.Message.At(e.Message.Time),
		Message: "message is older than the preceding one of " + protocol.Quoted(e.Before),
		Help:    "put the oldest message first; consumers keep the order of the list",
	}
	if e.Record.Streamed() {
		f.Severity, f.Help = disorderedEvents.Severity, "check the recording; events may be lost or reordered"
	}
	return f
}
