package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var misplacedSystemMessage = &lint.Rule{
	ID: "LMC506", Name: "misplaced-system-message", Since: "0.1",
	Summary: "A system message is not the first message",
	Rationale: "Open Interpreter prepends its own system message and asserts that no other follows: the next request fails " +
		"before the model sees it. Several model APIs also refuse one in the middle.",
	Evidence: []string{"llm.py, run: asserts that only the first message has role system"},
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
		Name: "no system message; the interpreter prepends its own",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		var first source.PlaceRef // the first message
		met := false
		return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.Event) {
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
					Message: "system message is not the first message",
					Help:    "move it to the beginning, or set interpreter.system_message",
					Related: []lint.Related{{Message: "first message", Place: first.Place()}},
				})
			}
		})}
	},
}
