package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var notAnObject = &lint.Rule{
	ID: "LMC004", Name: "not-an-object", Since: "0.1",
	Summary: "A record is JSON, but no object",
	Rationale: "Every message and every chunk is an object. Consumers ask it for its role and type; a string or a list in its " +
		"place raises an exception.",
	Evidence: []string{
		"documents, lmc-messages: each message has role, type and content",
		"wild: backends over Open Interpreter that skip what is no object, silently",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a text among the messages",
		Input: `[
  {"role": "user", "type": "message", "content": "Hi"},
  "Hello!"
]
`,
		Want: []string{"LMC004 3:3"},
	}},
	Good: []lint.Example{{
		Name: "a list of messages",
		Input: `[
  {"role": "user", "type": "message", "content": "Hi"},
  {"role": "assistant", "type": "message", "content": "Hello!"}
]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.NotAnObject, func(e *protocol.Problem) {
			p.Report(lint.Finding{
				Place:   e.Place,
				Message: e.Detail,
				Help:    notAnObjectHelp(p.Protocol, e.Record.Root),
			})
		}))
	},
}

// notAnObjectHelp says what to do with a value that is no record.
func notAnObjectHelp(of lint.Protocol, n *source.Node) string {
	switch {
	case n != nil && n.Kind == source.Array:
		return "write the elements as records of their own, one after another"
	case n != nil && n.Kind == source.String && len(n.Text()) > 0 && n.Text()[0] == '{':
		return "the record was encoded as JSON twice: encode it once"
	case of == protocol.Workbench{}:
		return `a text is sent as {"content": "…", "message_type": "chat"}`
	}
	return `a text is sent as {"role": "assistant", "type": "message", "content": "…"}`
}
