package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var misplacedSystemMessage = &lint.Rule{
	ID: "LMC506", Name: "misplaced-system-message", Since: "0.1",
	Summary: "A system message stands anywhere but first",
	Rationale: "Open Interpreter puts its own system message first and asserts that no other follows: the next request fails " +
		"before the model sees it. Several models' APIs refuse one in the middle, too.",
	Evidence: []string{"llm.py, run: an assertion that the first message is the system's and no later one is"},
	Severity: lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "instructions in the middle",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "system", "type": "message", "content": "Answer in French."},
{"role": "assistant", "type": "message", "content": "Bonjour"}]
`,
		Want: []string{"LMC506 2:10"},
	}},
	Good: []lint.Example{{
		Name: "no system message; the interpreter adds its own",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		var first source.PlaceRef // the first message
		met := false
		return protocol.StatefulHooks(func() { met = false }, protocol.On(lmc.Message, func(e *lmc.Event) {
			r := e.Record
			switch {
			case r == nil:
			case !met:
				met = true
				first.Set(r.Source, nil)
			case protocol.NeverStored(r):
			case r.Role == "system" && r.Invalid&lmc.InvalidRole == 0:
				p.Report(lint.Finding{
					Place:   r.PlaceOf("role"),
					Message: "a system message that is not the first message",
					Help:    "move it to the beginning, or give its text to interpreter.system_message",
					Related: []lint.Related{{Message: "the first message", Place: first.Place()}},
				})
			}
		}))
	},
}
