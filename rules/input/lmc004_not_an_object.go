package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var notAnObject = &lint.Rule{
	ID: "LMC004", Name: "not-an-object", Since: "0.1",
	Summary: "A record is valid JSON but not an object",
	Rationale: "Every message and every chunk is an object. Consumers read its role and type; a string or a list raises an " +
		"exception.",
	Evidence: []string{
		"documentation, lmc-messages: each message has role, type and content",
		"wild: backends over Open Interpreter silently skip anything that is not an object",
	},
	Requirements: []string{"LMC-INP-5"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a string among the messages",
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
	New: newNotAnObject,
}

func newNotAnObject(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.NotAnObject, func(e *protocol.Problem) {
		p.Report(lint.Finding{
			Place:   e.Place,
			Message: e.Detail,
			Help:    notAnObjectHelp(p.Protocol == protocol.Workbench{}, e.Record.Root),
		})
	})}
}

// notAnObjectHelp returns how to turn a value into a record.
func notAnObjectHelp(isWorkbench bool, n *source.Node) string {
	switch {
	case n != nil && n.Kind == source.String && isDone([]byte(n.Text())):
		return "remove it; it ends a stream of OpenAI, and a stream of LMC ends with its last record"
	case n != nil && n.Kind == source.Array:
		return "write each element as a separate record"
	case n != nil && n.Kind == source.String && len(n.Text()) > 0 && n.Text()[0] == '{':
		return "encode the record as JSON once, not twice"
	case isWorkbench:
		return `send text as {"content": "…", "message_type": "chat"}`
	}
	return `send text as {"role": "assistant", "type": "message", "content": "…"}`
}
