package input

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var notAnObject = &lint.Rule{
	ID: "LMC004", Name: "not-an-object",
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
		Edits: []string{`"Hello!"`, `{"role": "assistant", "type": "message", "content": "Hello!"}`},
		Want:  []string{"LMC004 3:3"},
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
		if p.RepeatsAt(e.Detail, e.Place) {
			return
		}
		f := lint.Finding{Place: e.Place, Message: e.Detail, Help: `send text as {"role": "assistant", "type": "message", "content": "…"}`}
		n := e.Record.Root
		switch isString := n != nil && n.Kind == source.String; {
		case isString && isDone([]byte(n.Text())):
			f.Help = "remove it; it ends a stream of OpenAI, and a stream of LMC ends with its last record"
		case n != nil && n.Kind == source.Array:
			f.Help = "write each element as a separate record"
		case isString && strings.HasPrefix(n.Text(), "{"):
			f.Help = "encode the record as JSON once, not twice"
		case isString && strings.HasPrefix(n.Text(), "[{"):
			f.Help = "encode the list as JSON once, not twice, as jq -r . does"
		case p.Protocol == protocol.Workbench{}:
			f.Help = `send text as {"content": "…", "message_type": "chat"}`
		}
		p.Report(f)
	})}
}
