package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var missingType = &lint.Rule{
	ID: "LMC103", Name: "missing-type",
	Summary: "A record has no type",
	Rationale: "Open Interpreter reads the type of each record and raises KeyError 'type': the terminal aborts the response, and " +
		"a stored conversation can neither be restored nor continue. Its server answers with an error and loses the text. " +
		"In a session, only the flags around a user message may omit it.",
	Evidence: []string{
		"documentation, lmc-messages: each message has a type",
		"issue openinterpreter/openinterpreter#1045: KeyError 'type' at the next chat",
		"recordings ws_typeless_old, ws_empty_user: a message without a type is stored, and no response follows",
	},
	Requirements: []string{"LMC-REC-2"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "a message in OpenAI's format",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "content": "Hello!"}]
`,
		Edits: []string{`t", "content":`, `t", "type": "message", "content":`},
		Want:  []string{"LMC103 2:2"},
	}, {
		Name: "a misspelled key",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "typ": "message", "content": "Hello!"}]
`,
		Want: []string{"LMC103 2:24"},
	}, {
		Name: "the key of another protocol",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "kind": "message", "content": "Hello!"}
`,
		Want: []string{"LMC103 2:23"},
	}, {
		Name: "the message type of Semantic Workbench",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "message_type": "chat", "content": "Hello!"}
`,
		Edits: []string{`"message_type": "chat"`, `"type": "message"`},
		Want:  []string{"LMC103 2:1"},
	}},
	Good: []lint.Example{{
		Name: "each record has a type",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!"}]
`,
	}, {
		Name:   "flags around a user message need no type in a session",
		Config: lint.Config{Dialect: "server", Kind: "stream"},
		Input: `{"role": "user", "start": true}
{"role": "user", "type": "message", "content": "Hi"}
{"role": "user", "end": true}
`,
	}},
	New: protocol.FindViolations(findMissingType),
}

func findMissingType(p *lint.Pass, v *protocol.Violation) lint.Finding {
	if protocol.IsWorkbenchMessage(v.Record) {
		return lint.Finding{} // LMC101 says what it is
	}
	if v.Repeats(p) {
		return lint.Finding{}
	}
	if r := v.Record; r.Source.Direction == source.Sent && r.Flag() && r.Content == nil && r.Role != "" && r.Role != "user" {
		return lint.Finding{} // the server stores it; LMC116 reports its role
	}
	f := lint.Finding{Message: protocol.Subject(v.Record) + " has no type"}
	f.Help, f.Fix = missingTypeHelp(protocol.StateOf(p).Dialect, v)
	return withRemedy(p, v, []string{"type"}, f)
}

// missingTypeHelp returns the help for a missing type, which the role and the format
// may decide, and its fix.
func missingTypeHelp(d *schema.Dialect, v *protocol.Violation) (string, *lint.Fix) {
	r := v.Record
	for i := range d.Types {
		t := &d.Types[i]
		if !slices.Contains(v.Expected, t.Name) {
			continue
		}
		_, known := t.Format(r.Format)
		if !known && t.AnyCode {
			_, _, known = d.Language(r.Format)
		}
		if known {
			return fmt.Sprintf(`add "type": %q`, t.Name), addKey(r, "type", []string{t.Name})
		}
	}
	usual := slices.DeleteFunc(slices.Clone(v.Expected), func(name string) bool {
		t, ok := d.Type(name)
		return ok && d.HasRole(r.Role) && !t.HasRole(r.Role)
	})
	if len(usual) == 0 {
		usual = v.Expected
	}
	help := `add "type": ` + valuesOf(usual) + withFormat(d, r, usual...)
	isMessage := func(name string) bool { return name == "message" }
	if rest := slices.DeleteFunc(slices.Clone(usual), isMessage); len(rest) > 0 && len(rest) < len(usual) {
		help = `add "type": "message" for text, otherwise ` + protocol.AnyOf(rest) + withFormat(d, r, rest...)
	}
	switch {
	case protocol.HasWorkbenchKey(r):
		help += "; message_type and sender are keys of Semantic Workbench's messages, which have no role"
	case r.Role == "user" && r.IsTypelessFlag():
		help += "; if this was recorded from the server, pass --dialect server"
	}
	return help, addKey(r, "type", usual)
}
