package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var timeOrder = &lint.Rule{
	ID: "WB010", Name: "time-order", Since: "0.1",
	Summary: "A message of a list is older than the one before it",
	Rationale: "The service returns the oldest message first, and consumers build the history of the conversation in that order. A " +
		"list that was turned round makes answers of questions. Times with an offset and without are not compared with each other; " +
		"a run of messages that go back is told of once. In a stream of events it is a note, and a second is allowed for messages that come at once.",
	Evidence: []string{"semanticworkbench, controller/conversation.py: messages are returned in the order of their sequence"},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
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
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.OutOfOrder, func(e *workbench.Event) {
			f := lint.Finding{
				Place:   e.Message.At(e.Message.Time),
				Message: "the message is older than the one before it, of " + protocol.Quoted(e.Before),
				Help:    "put the oldest message first: consumers take the order for that of the conversation",
			}
			if e.Record.Streamed() {
				f.Severity, f.Help = lint.SeverityNote, "were events lost or put in another order when the stream was recorded?"
			}
			p.Report(f)
		}))
	},
}
