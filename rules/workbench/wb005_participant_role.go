package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var participantRole = &lint.Rule{
	ID: "WB005", Name: "participant-role",
	Summary: "A participant has an unknown role",
	Rationale: "The service's models refuse it. Participants are users, assistants and services; computer and system exist " +
		"only in other protocols.",
	Evidence:     []string{modelOf + "ParticipantRole"},
	Requirements: []string{"WB-MSG-5"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name:  "a role of Open Interpreter's messages",
		Make:  func() string { return hello() + said(2, "computer", "note", "1.4166666666666667", "{}") },
		Edits: []string{`"computer"`, `"assistant"`},
		Want:  []string{"WB005 2:79"},
	}, {
		Name: "a misspelled role",
		Make: func() string { return hello() + said(2, "asistant", "note", "1.4166666666666667", "{}") },
		Want: []string{"WB005 2:79"},
	}},
	Good: []lint.Example{{
		Name: "tool output comes from the assistant",
		Make: func() string { return hello() + said(2, "assistant", "note", "1.4166666666666667", "{}") },
	}},
	New: protocol.ReportWorkbenchViolations(reportParticipantRole),
}

func reportParticipantRole(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	f := lint.Finding{
		Place: b.Place(), Message: "unknown participant role " + b.Found(),
		Help: expected(b.Node.Text(), workbench.Roles()),
		Fix:  offer.CorrectWord(b.Record.Source, b.Node, workbench.Roles()),
	}
	switch b.Node.Text() { // what other protocols call the roles
	case "computer", "tool", "function", "ai", "bot", "agent", "model":
		f.Help = "the workbench role is " + workbench.Assistant
	case "human", "customer":
		f.Help = "the workbench role is " + workbench.User
	case "system", "server":
		f.Help = "the workbench role is " + workbench.Service
	}
	return f
}
