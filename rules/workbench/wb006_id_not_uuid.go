package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var oddUUID = lint.SeverityCase{Severity: lint.SeverityNote, When: "UUID in another form"}

var idNotUUID = &lint.Rule{
	ID: "WB006", Name: "id-not-uuid",
	Summary: "A message or conversation id is not a UUID",
	Rationale: "The models parse ids as UUIDs and refuse anything else. The web app uses the id optimistic until the " +
		"service has responded; such a message was never stored. A UUID in upper case, without hyphens or in braces is " +
		"valid but not in the service's form, so that string comparison fails: that is a note.",
	Evidence: []string{
		modelOf + "ConversationMessage.id is a UUID",
		"semanticworkbench, InteractInput.tsx, handleSend(): the id optimistic of a message that has not been sent yet",
	},
	Requirements: []string{"WB-MSG-6"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{oddUUID},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name:  "a temporary id of the web app",
		Make:  func() string { return example.Altered(hello(), exampleID(1), "optimistic") },
		Edits: []string{`"optimistic"`, `"00000000-0000-4000-8000-000000000001"`},
		Want:  []string{"WB006 1:8"},
	}, {
		Name: "a UUID in braces",
		Make: func() string { return example.Altered(hello(), exampleID(1), "{"+exampleID(1)+"}") },
		Want: []string{"WB006 1:8"},
	}},
	Good: []lint.Example{{Name: "a UUID; a participant id may be any string", Make: hello}},
	New:  newIdNotUUID,
}

func newIdNotUUID(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		p.Report(lint.Finding{
			Place: b.Place(), Cause: b.Type, Message: protocol.Quoted(b.Type) + " is " + b.Found() + ", expected a UUID",
			Help: "write the id that the service returned, such as " + exampleID(1),
		})
	}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
		if _, form := workbench.ParseUUID(e.Message.ID.Text()); form != workbench.OddUUID {
			return
		}
		p.Report(lint.Finding{
			Place: e.Message.At(e.Message.ID), Severity: oddUUID.Severity,
			Message: "the UUID is not in the service's form",
			Help:    "write it in lower case with hyphens and without braces",
		})
	})}
}
