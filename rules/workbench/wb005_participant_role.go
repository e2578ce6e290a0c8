package workbench

import (
	"github.com/lmclint/lmclint/internal/fix/offer"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var participantRole = &lint.Rule{
	ID: "WB005", Name: "participant-role", Since: "0.1",
	Summary: "A participant has an unknown role",
	Rationale: "The service's models refuse it. Participants are users, assistants and services; computer and system exist " +
		"only in other protocols.",
	Evidence:     []string{modelOf + "ParticipantRole"},
	Requirements: []string{"WB-MSG-5"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "a role of Open Interpreter's messages",
		Make: func() string { return hello() + said(2, "computer", "note", "1.4166666666666667", "{}") },
		Want: []string{"WB005 2:79"},
	}, {
		Name: "a misspelled role",
		Make: func() string { return hello() + said(2, "asistant", "note", "1.4166666666666667", "{}") },
		Want: []string{"WB005 2:79"},
	}},
	Good: []lint.Example{{
		Name: "tool output comes from the assistant",
		Make: func() string { return hello() + said(2, "assistant", "note", "1.4166666666666667", "{}") },
	}},
	New: newParticipantRole,
}

func newParticipantRole(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		help := "expected " + protocol.AnyOf(workbench.Roles())
		if nearest, ok := spelling.Nearest(b.Node.Text(), workbench.Roles()); ok {
			help = protocol.DidYouMean(nearest)
		} else if role := benchRoleFor(b.Node.Text()); role != "" {
			help = "the workbench role is " + role
		}
		p.Report(lint.Finding{Place: b.Place(), Message: "unknown participant role " + b.Found, Help: help, Fix: offer.CorrectWord(b.Record.Source, b.Node, workbench.Roles())})
	})}
}

// benchRoleFor returns the role that other protocols call word, or "".
func benchRoleFor(word string) string {
	switch word {
	case "computer", "tool", "function", "ai", "bot", "agent", "model":
		return workbench.Assistant
	case "human", "customer":
		return workbench.User
	case "system", "server":
		return workbench.Service
	}
	return ""
}
