package execution

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var repeatedConfirmation = &lint.Rule{
	ID: "LMC305", Name: "repeated-confirmation",
	Summary: "A code block is confirmed twice, before or after it ran",
	Rationale: "The user is asked twice about the same code, or the same code runs twice. Open Interpreter's accumulate() raises a " +
		"TypeError at a second confirmation that follows the first. A second confirmation of other code is LMC304.",
	Evidence:     []string{"none of 518 recorded confirmations is repeated"},
	Requirements: []string{"LMC-EXE-6"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the same confirmation twice",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`,
		Edits: []string{`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`, ""},
		Want: []string{"LMC305 5:1"},
	}, {
		Name:  "the same confirmation after the code ran, which runs again",
		Input: example.ShellCode + strings.Repeat(example.Confirmed+example.Executed, 2),
		Edits: []string{`{"role": "computer", "type": "console", "end": true}
`, `{"role": "computer", "type": "console", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`},
		Want: []string{"LMC305 9:1"},
	}},
	Good: []lint.Example{{
		Name:  "one confirmation for one code block",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: protocol.Report(lmc.Confirmation, findRepeatedConfirmation),
}

func findRepeatedConfirmation(p *lint.Pass, e *lmc.ConfirmationEvent) lint.Finding {
	c := e.Code
	if c == nil || c.Confirmed == nil || !protocol.StateOf(p).ComparesConfirmations() {
		return lint.Finding{}
	}
	if n, _, _ := mismatch(protocol.StateOf(p).Dialect, e); n != nil && !c.Lossy {
		return lint.Finding{} // LMC304 reports it
	}
	kind := what(c.Edit)
	f := lint.Finding{
		Place:   e.Record.Place(),
		Message: kind + " confirmed again without an execution in between",
		Help:    "send one confirmation for each execution",
		Related: []lint.Related{{Message: "first confirmation", Place: c.Confirmed.Place()}},
	}
	if c.HasRun() {
		f.Message = kind + " confirmed again after it ran"
		f.Help = "stream the " + kind + " again before its second confirmation"
	}
	return f
}
