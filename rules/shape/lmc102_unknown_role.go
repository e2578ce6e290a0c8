package shape

import (
	"strings"

	"github.com/lmclint/lmclint/internal/fix/offer"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownRole = &lint.Rule{
	ID: "LMC102", Name: "unknown-role", Since: "0.1",
	Summary: "A record has an unknown role",
	Rationale: "Open Interpreter's terminal raises an UnboundLocalError at code of an unknown role, or does not draw it. It " +
		"draws a message, but sends its role to the model's API verbatim. Web clients save neither, and the last server " +
		"of OpenInterpreter/01 never sends the end of the audio to its device.",
	Evidence: []string{
		"documentation, lmc-messages: the roles are user, assistant and computer",
		"llm.py, run(): the first message must have the role system; recordings: server is the sender of WebSocket frames",
	},
	Requirements: []string{"LMC-VOC-1"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "a misspelled role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "asistant", "type": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC102 2:11"},
	}, {
		Name: "a role of another protocol",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"},
 {"role": "tool", "type": "console", "format": "output", "content": "1.4166666666666667"}]
`,
		Want: []string{"LMC102 3:11"},
	}},
	Good: []lint.Example{{
		Name:  "code output comes from the computer",
		Input: codeTranscript,
	}},
	New: newUnknownRole,
}

func newUnknownRole(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) {
		p.Report(lint.Finding{
			Place:   v.Place(),
			Message: v.UnknownWord("role"),
			Help:    roleHelp(protocol.StateOf(p), v),
			Fix:     offer.CorrectIn("role", protocol.StateOf(p).Dialect, v, v.Expected),
		})
	})}
}

func roleHelp(s *protocol.State, v *protocol.Violation) string {
	role := v.Record.Role
	if v.Nearest != "" {
		return protocol.DidYouMean(v.Nearest)
	}
	usual := s.OtherDialectHelp(func(d *schema.Dialect) bool {
		t, ok := d.Type(v.Record.Type)
		return ok && d.HasRole(role) && t.HasRole(role)
	})
	meant := roleFor(role)
	switch {
	case meant != "" && usual != "":
		return "the LMC role is " + meant + "; " + usual
	case usual != "":
		return usual
	case meant != "":
		return "the LMC role is " + meant
	}
	return "expected " + protocol.AnyOf(v.Expected)
}

// roleFor returns the role that other protocols call word, or "".
func roleFor(word string) string {
	switch strings.ToLower(word) {
	case "tool", "function", "environment":
		return "computer"
	case "ai", "bot", "model", "llm", "agent":
		return "assistant"
	case "human", "customer":
		return "user"
	}
	return ""
}
