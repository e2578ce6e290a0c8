package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var missingRole = &lint.Rule{
	ID: "LMC101", Name: "missing-role", Since: "0.1",
	Summary: "A record does not say who sends it",
	Rationale: "Consumers sort records by role: the user's text goes to the model, the assistant's code to the computer, the " +
		"computer's output to the screen. Open Interpreter asks each message for its role and raises a KeyError without it.",
	Evidence: []string{
		"documents, lmc-messages: each message has a role",
		"issue openinterpreter/openinterpreter#386: KeyError 'role' at the second request",
		"recordings computer_run, http_run: lists without roles, which are no conversation yet",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message without a role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"type": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC101 2:2"},
	}, {
		Name: "a misspelled key",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"rol": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC101 2:1"},
	}},
	Good: []lint.Example{{
		Name: "each record has its role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: protocol.Subject(v.Record) + " has no " + missing(v.Record),
				Help:    missingKeyHelp(protocol.StateOf(p), v, `add "role" with who sends it: `+protocol.AnyOf(v.Expected)),
			})
		}))
	},
}

// missing names the role, and all else that a record without anything lacks.
func missing(r *lmc.Record) string {
	if r.Key("type") == nil && r.Content == nil && !r.Flag() {
		return "role, no type and no content"
	}
	return "role"
}
