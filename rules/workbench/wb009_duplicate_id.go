package workbench

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var duplicateID = &lint.Rule{
	ID: "WB009", Name: "duplicate-id", Since: "0.1",
	Summary: "A message has the id of an earlier one",
	Rationale: "An id is the key of its table: an import fails, and consumers that keep messages by id lose one of the two. In a " +
		"stream of events a client that connected again may have written a message twice, which is a warning. Of each input " +
		"262,144 ids are remembered; a note says where there are more.",
	Evidence: []string{
		"semanticworkbench, db.py: message_id is unique",
		"semanticworkbench, service.py: the streams of events go on after a retry of the client",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
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
	}},
	Good: []lint.Example{{
		Name: "each id once",
		Make: func() string {
			return listedLines(hello(), said(2, "assistant", "chat", "Hi!", "{}"), said(3, "assistant", "chat", "Hi!", "{}"))
		},
	}, {
		Name: "a message that is deleted comes a second time",
		Make: func() string {
			return announced(1, "message.created", bringing(hello())) + announced(2, "message.deleted", bringing(hello()))
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.OnWorkbench(workbench.Repeated, func(e *workbench.Event) {
			f := lint.Finding{
				Place:   e.Message.At(e.Message.ID),
				Message: fmt.Sprintf("the id is that of an earlier message (line %d)", e.First.Start.Line),
				Help:    "give each message an id of its own, or leave one of the two out",
				Related: []lint.Related{{Message: "first here", Place: e.First.Place()}},
			}
			if e.Record.Streamed() {
				f.Severity, f.Help = lint.SeverityWarning, "did the client connect again? leave one of the two out"
			}
			p.Report(f)
		}), protocol.OnWorkbench(workbench.LimitReached, func(e *workbench.Event) {
			p.Report(lint.Finding{
				Place: e.Record.Source.Place(), Severity: lint.SeverityNote,
				Message: "more messages, conversations or participants than are remembered: from here on ids, order and commands are judged as far as they are",
				Help:    "check the conversations in inputs of their own",
			})
		})}
	},
}
