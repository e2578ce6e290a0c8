package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var missingRole = &lint.Rule{
	ID: "LMC101", Name: "missing-role", Since: "0.1",
	Summary: "A record has no role",
	Rationale: "Consumers dispatch on the role: the user's text goes to the model, the assistant's code to the computer, " +
		"the computer's output to the screen. Open Interpreter reads the role of each message and raises a KeyError " +
		"without it.",
	Evidence: []string{
		"documentation, lmc-messages: each message has a role",
		"issue openinterpreter/openinterpreter#386: KeyError 'role' at the second request",
		"recordings computer_run, http_run: lists without roles, which are not yet a conversation",
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
		Name: "each record has a role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
	}},
	New: protocol.ReportViolations(func(p *lint.Pass, v *protocol.Violation) lint.Finding {
		return lint.Finding{
			Place:   v.Place(),
			Message: protocol.Subject(v.Record) + " has no " + missing(v.Record),
			Help:    missingKeyHelp(protocol.StateOf(p), v, `add "role": `+protocol.AnyOf(v.Expected)),
		}
	}),
}

// missing names the missing role, and the other keys that an empty record lacks.
func missing(r *lmc.Record) string {
	if r.Key("type") == nil && r.Content == nil && !r.Flag() {
		return "role, no type and no content"
	}
	return "role"
}
