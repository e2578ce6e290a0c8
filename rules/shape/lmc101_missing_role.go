package shape

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var roleOnStart = lint.SeverityCase{Severity: lint.SeverityWarning, When: "a frame of the client in a block whose start has the role"}

var missingRole = &lint.Rule{
	ID: "LMC101", Name: "missing-role",
	Summary: "A record has no role",
	Rationale: "Open Interpreter reads the role of each record and raises KeyError 'role': in its core, in its terminal, and in " +
		"each later request of a conversation that contains the record. Its server answers with an error, and web clients " +
		"show the text but never save it.",
	Evidence: []string{
		"documentation, lmc-messages: each message has a role",
		"issue openinterpreter/openinterpreter#386: KeyError 'role' at the second request",
		"recordings computer_run, http_run: lists without roles, which are not yet a conversation",
	},
	Requirements: []string{"LMC-REC-1"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{roleOnStart}, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "a message without a role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"type": "message", "content": "Hello!"}]
`,
		Edits: []string{`{"type":`, `{"role": "assistant", "type":`},
		Want:  []string{"LMC101 2:2"},
	}, {
		Name: "a misspelled key",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"rol": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC101 2:2"},
	}, {
		Name: "the key of another protocol",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"author": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC101 2:2"},
	}, {
		Name: "a message of Semantic Workbench",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"message_type": "chat", "content": "Hello!", "sender": {"participant_role": "assistant", "participant_id": "explorer"}}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Edits: []string{`{"message_type": "chat", "content": "Hello!", "sender": {"participant_role": "assistant", "participant_id": "explorer"}}
`, ""},
		Want: []string{"LMC101 2:1"},
	}},
	Good: []lint.Example{{
		Name: "each record has a role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
	}},
	New: protocol.ReportViolations(reportMissingRole),
}

func reportMissingRole(p *lint.Pass, v *protocol.Violation) lint.Finding {
	d, r := protocol.StateOf(p).Dialect, v.Record
	f := lint.Finding{Message: protocol.Subject(r) + " has no role"}
	missing := []string{"role"}
	if r.Source.Direction == source.Sent && valueOfBlock(v, "role") != "" {
		f.Severity = roleOnStart.Severity
	}
	switch {
	case protocol.IsWorkbenchMessage(r):
		return lint.Finding{
			Place: v.Place(), Message: "the record is a message of Semantic Workbench: it has no role and no type",
			Help: "store records of different protocols in different files; an LMC message has a role and a type instead of sender and message_type",
		}
	case r.Key("type") == nil && r.Content == nil && !r.Flag():
		f.Message += ", no type and no content"
		if len(r.Root.Children) > 0 && protocol.HasNothing(r) {
			return lint.Finding{
				Place: v.Place(), Message: f.Message,
				Help: `remove it: keep other output out of the recording; a message needs "role", "type" and "content"`,
			}
		}
		f.Help = `add "role", "type" and "content"`
		missing = append(missing, "type", "content", "start", d.EndKey)
	case protocol.IsSomethingElse(r):
		f.Message += " and no type"
		f.Help = `add "role" and "type"`
	default:
		roles := v.Expected
		if t, ok := d.Type(r.Type); ok && len(t.Roles) > 0 {
			roles = t.Roles
		}
		f.Help, f.Fix = `add "role": `+valuesOf(roles), addKey(r, "role", roles)
		if d.HasRole("tool") && r.Type == "message" { // what the fork does with it
			f.Help += "; without one the model reads it as the assistant's, and the terminal does not show it"
		}
	}
	return withRemedy(p, v, missing, f)
}
