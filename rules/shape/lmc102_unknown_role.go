package shape

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var unknownRole = &lint.Rule{
	ID: "LMC102", Name: "unknown-role",
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
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "a misspelled role",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "asistant", "type": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC102 2:11"},
	}, {
		Name:  "a role of another protocol",
		Input: example.Altered(codeTranscript, `"computer"`, `"tool"`),
		Edits: []string{`"tool"`, `"computer"`},
		Want:  []string{"LMC102 3:11"},
	}},
	Good: []lint.Example{{
		Name:  "code output comes from the computer",
		Input: codeTranscript,
	}},
	New: protocol.ReportViolations(reportUnknownRole),
}

func reportUnknownRole(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s, r := protocol.StateOf(p), v.Record
	f := lint.Finding{Place: v.Place(), Message: v.UnknownWord("role"), Fix: offer.CorrectIn("role", s.Dialect, v)}
	expected := v.Expected
	if s.Transcript && s.Dialect.OwnSystemMessage { // LMC506 reports system there
		expected = slices.DeleteFunc(slices.Clone(expected), func(role string) bool { return role == "system" })
	}
	suggested := v.Suggest()
	if suggested.Nearest != "" {
		f.Help = protocol.DidYouMean(suggested.Nearest)
		if !slices.Contains(expected, suggested.Nearest) {
			f.Help, f.Fix = f.Help+" remove it and set interpreter.system_message instead", nil
		}
		return f
	}
	f.Help = s.OtherDialectHelp(func(d *schema.Dialect) bool {
		t, ok := d.Type(r.Type)
		return ok && d.HasRole(r.Role) && t.HasRole(r.Role)
	})
	meant := cmp.Or(roleSynonyms.meaning(r.Role), suggested.Within)
	if meant != "" {
		f.Fix = offer.Guess(r.Source, v.Node, meant)
	}
	switch {
	case meant != "" && f.Help != "":
		f.Help = "the LMC role is " + meant + "; " + f.Help
	case meant != "":
		f.Help = "the LMC role is " + meant
	case f.Help == "":
		f.Help = "expected " + protocol.AnyOf(expected)
	}
	return f
}

// roleSynonyms are what other protocols call the roles.
var roleSynonyms = synonyms{
	"computer":  {"tool", "function", "environment"},
	"assistant": {"ai", "bot", "model", "llm", "agent"},
	"user":      {"human", "customer"},
}
