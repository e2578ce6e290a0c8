package rules

import (
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var participantRole = &lint.Rule{
	ID: "WB005", Name: "participant-role", Since: "0.1",
	Summary: "A participant has a role that the workbench does not know",
	Rationale: "The service's models refuse it. Those who take part are users, assistants and services; the computer and the system of " +
		"other protocols are none.",
	Evidence: []string{modelOf + "ParticipantRole"},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: Workbench{},
	Bad: []lint.Example{{
		Name: "a role of Open Interpreter's messages",
		Make: func() string { return hello() + said(2, "computer", "note", "1.4166666666666667", "{}") },
		Want: []string{"WB005 2:79"},
	}},
	Good: []lint.Example{{
		Name: "what an assistant's tool says is the assistant's",
		Make: func() string { return hello() + said(2, "assistant", "note", "1.4166666666666667", "{}") },
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return hooks(onBreach(p, func(b *workbenchViolation) {
			help := "the roles are " + anyOf(workbench.Roles())
			if nearest, ok := spelling.Nearest(b.Node.Text(), workbench.Roles()); ok {
				help = didYouMean(nearest)
			} else if role := benchRoleFor(b.Node.Text()); role != "" {
				help = "the workbench has " + role + " for it"
			}
			p.Report(lint.Finding{Place: b.place(), Message: "unknown participant role " + b.Found, Help: help})
		}))
	},
}

// benchRoleFor is the role for which other protocols have another word.
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
