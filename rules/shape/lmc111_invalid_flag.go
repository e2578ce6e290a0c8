package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var invalidFlag = &lint.Rule{
	ID: "LMC111", Name: "invalid-flag", Since: "0.1",
	Summary: "A start or end flag is not literally true",
	Rationale: "Consumers, Open Interpreter's server among them, ask whether the key is there and not what it says. So \"start\": " +
		"false begins a block, and \"end\": false ends one. A record that is no flag must not have the key.",
	Evidence: []string{
		"recordings: all 4,831 flags are literally true",
		"source, async_core.py: \"start\" in chunk",
		"issue OpenInterpreter/01#253: a client sends \"end\": false with its content",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "an end that says false",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": false}
`,
		Want: []string{"LMC111 3:49"},
	}},
	Good: []lint.Example{{
		Name: "flags are true",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello!"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: fmt.Sprintf("%s is %s, expected true", v.Key, v.Shown()),
				Help:    fmt.Sprintf("consumers test the key and not its value, so this %s a block: %s", effect(v), flagHelp(v)),
			})
		}))
	},
}

func effect(v *protocol.Violation) string {
	if v.Key == "start" {
		return "starts"
	}
	return "ends"
}

// flagHelp says which of the two ways out of a false flag is the likely one.
func flagHelp(v *protocol.Violation) string {
	if v.Record.Content != nil || v.Record.Start && v.Record.End {
		return "leave the key out"
	}
	return "write true, or leave the record out"
}
