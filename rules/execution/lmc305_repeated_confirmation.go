package execution

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var repeatedConfirmation = &lint.Rule{
	ID: "LMC305", Name: "repeated-confirmation", Since: "0.1",
	Summary: "A code block is confirmed twice without an execution in between",
	Rationale: "The user is asked twice about the same code. Open Interpreter's accumulate() raises a " +
		"TypeError at the second confirmation.",
	Evidence:     []string{"none of 518 recorded confirmations is repeated"},
	Requirements: []string{"LMC-EXE-6"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the same confirmation twice",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`,
		Want: []string{"LMC305 5:1"},
	}},
	Good: []lint.Example{{
		Name:  "one confirmation for one code block",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.On(lmc.Confirmation, func(e *lmc.Event) {
			c := e.Code
			if c == nil || c.Confirmed == nil || !protocol.StateOf(p).ComparesConfirmations() || protocol.Explained(p, e) {
				return
			}
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: "code confirmed again without an execution in between",
				Help:    "send one confirmation for each execution",
				Related: []lint.Related{{Message: "first confirmation", Place: c.Confirmed.Place()}},
			})
		})}
	},
}
