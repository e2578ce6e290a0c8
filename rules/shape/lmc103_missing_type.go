package shape

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var missingType = &lint.Rule{
	ID: "LMC103", Name: "missing-type", Since: "0.1",
	Summary: "A record does not say what it is",
	Rationale: "The type decides how a record is shown, stored and sent to the model. Open Interpreter asks each message for it and " +
		"raises a KeyError. In a session, only the flags round a user's message may go without.",
	Evidence: []string{
		"documents, lmc-messages: each message has a type",
		"issue openinterpreter/openinterpreter#1045: KeyError 'type' at the next chat",
		"recordings ws_typeless_old, ws_empty_user: a message without type is stored, and no answer comes",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message as OpenAI has it",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "content": "Hello!"}]
`,
		Want: []string{"LMC103 2:2"},
	}, {
		Name: "a misspelled key",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "typ": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC103 2:2"},
	}},
	Good: []lint.Example{{
		Name: "each record has its type",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
	}, {
		Name:    "flags round a user's message need no type in a session",
		Dialect: "server", Kind: "stream",
		Input: `{"role": "user", "start": true}
{"role": "user", "type": "message", "content": "Hi"}
{"role": "user", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		held := &protocol.DeferredFindings{Pass: p, Stands: func(s *protocol.State) bool { return !s.Dialect.ServerFrames }}
		return protocol.StatefulHooks(held.Forget, protocol.OnViolation(p, func(v *protocol.Violation) {
			f := lint.Finding{
				Place:   v.Place(),
				Message: protocol.Subject(v.Record) + " has no type",
				Help:    missingKeyHelp(protocol.StateOf(p), v, `add "type": "message" if it is text; else `+protocol.AnyOf(protocol.Without(v.Expected, "message"))),
			}
			if isMeantForUser(v.Record) {
				f.Help = `the client speaks as user, and only the user's flags need no type: did you mean "role": "user"?`
			}
			if !isUserFlag(v.Record) {
				p.Report(f)
				return
			}
			f.Help += "; recorded from the server? pass --dialect server"
			held.Report(f)
		}), held.Release())
	},
}

// isUserFlag reports whether a record is a flag as clients send it to a
// server, which needs no type.
func isUserFlag(r *lmc.Record) bool { return r.Role == "user" && r.Flag() && r.Content == nil }

// isMeantForUser reports whether a flag comes from the client of a session,
// whose flags need no type, in a role that is none of the client's.
func isMeantForUser(r *lmc.Record) bool {
	return r.Source.Direction == source.Sent && r.Flag() && r.Content == nil && r.Role != "user" && r.Role != ""
}
