package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var wrongContentType = &lint.Rule{
	ID: "LMC109", Name: "wrong-content-type", Since: "0.1",
	Summary: "A content is of the wrong JSON type",
	Rationale: "Consumers join contents with +. A number, null or list in the place of a string raises an exception there; in " +
		"JavaScript it turns into \"null\" or \"[object Object]\" on the screen.",
	Evidence: []string{
		"documents, lmc-messages: content is text, base64 or a path",
		"recordings: a string in every message, and in every chunk but active_line and confirmation",
		"wild: TypeError, can only concatenate str (not \"int\") to str",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a number that was not converted",
		Input: `[{"role": "user", "type": "message", "content": "What's 2380*3875?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "2380*3875"},
 {"role": "computer", "type": "console", "format": "output", "content": 9222500}]
`,
		Want: []string{"LMC109 3:73"},
	}, {
		Name: "a list of parts, as OpenAI has it",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": [{"type": "text", "text": "Hello!"}]}]
`,
		Want: []string{"LMC109 2:54"},
	}},
	Good: []lint.Example{{
		Name: "content is a string",
		Input: `[{"role": "user", "type": "message", "content": "What's 2380*3875?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "2380*3875"},
 {"role": "computer", "type": "console", "format": "output", "content": "9222500"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			whose := ""
			if v.Key == "content" {
				whose = " of " + protocol.RecordName(v.Record)
			}
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: fmt.Sprintf("%s%s is %s, expected a %s", v.Key, whose, protocol.KindWord(v.Node), protocol.AnyOf(v.Expected)),
				Help:    wrongTypeHelp(v),
			})
		}))
	},
}

// wrongTypeHelp says what to send.
func wrongTypeHelp(v *protocol.Violation) string {
	switch v.Key {
	case "auth":
		return "the client sends its key as a string, the server answers true or false"
	case "ack":
		return "send the id of the frame that was received"
	}
	return stringHelp(v.Node)
}

// stringHelp says how to make a string of another value.
func stringHelp(n *source.Node) string {
	switch {
	case n.Kind == source.Null:
		return `write "" for nothing, or leave the record out; null stands only at the end of an execution, in active_line`
	case protocol.HasParts(n):
		return "send each part as a record of its own, with its own type"
	case n.Kind == source.Array, n.Kind == source.Object:
		return "send text: json.dumps(value) in Python, JSON.stringify(value) in JavaScript"
	}
	return "write it in quotes: str(value) in Python, String(value) in JavaScript"
}
