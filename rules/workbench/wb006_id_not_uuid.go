package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var idNotUUID = &lint.Rule{
	ID: "WB006", Name: "id-not-uuid", Since: "0.1",
	Summary: "The id of a message or conversation is no UUID",
	Rationale: "The models read ids as UUIDs and refuse anything else. The web app calls a message optimistic until the service has " +
		"answered; such a message was never stored. A UUID in capitals, without hyphens or in braces can be read, but is not what the " +
		"service writes, so that a comparison of texts fails: that is a note.",
	Evidence: []string{
		modelOf + "ConversationMessage.id is a UUID",
		"semanticworkbench, web app: the id optimistic of a message that is not sent yet",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an id of the web app's memory",
		Make: func() string { return altered(hello(), exampleID(1), "optimistic") },
		Want: []string{"WB006 1:8"},
	}, {
		Name: "a UUID in braces",
		Make: func() string { return altered(hello(), exampleID(1), "{"+exampleID(1)+"}") },
		Want: []string{"WB006 1:8"},
	}},
	Good: []lint.Example{{Name: "a UUID; a user's id may be anything", Make: hello}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
			p.Report(lint.Finding{
				Place: b.Place(), Message: protocol.Quoted(b.Type) + " is " + b.Found + ", expected a UUID",
				Help: "write an id as the service gives it, such as " + exampleID(1),
			})
		}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
			if _, form := workbench.ParseUUID(e.Message.ID.Text()); form != workbench.OddUUID {
				return
			}
			p.Report(lint.Finding{
				Place: e.Message.At(e.Message.ID), Severity: lint.SeverityNote,
				Message: "the UUID is not written as the service writes it",
				Help:    "write it in lower case, with hyphens and without braces",
			})
		})}
	},
}
