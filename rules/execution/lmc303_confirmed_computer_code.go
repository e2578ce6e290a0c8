package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var confirmedComputerCode = &lint.Rule{
	ID: "LMC303", Name: "confirmed-computer-code",
	Summary: "A confirmation asks about HTML that the computer displayed",
	Rationale: "If the last thing that code did was to display HTML, Open Interpreter treats that HTML as code that still has to " +
		"run: it asks for a confirmation and, if the user agrees, runs it a second time. No model wrote it.",
	Evidence:     []string{"recordings py_html_last, py_execute_results, py_two_displays since 0.3.14"},
	Requirements: []string{"LMC-EXE-4"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a confirmation for HTML that an execution displayed",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "display(HTML('<b>1</b>'))"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "display(HTML('<b>1</b>'))"}}
{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>1</b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "html", "content": "<b>1</b>"}}
`,
		Edits: []string{`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "html", "content": "<b>1</b>"}}
`, ""},
		Want: []string{"LMC303 11:1"},
	}},
	Good: []lint.Example{{
		Name: "only the model's code is confirmed",
		Input: `{"role": "assistant", "type": "code", "format": "html", "start": true}
{"role": "assistant", "type": "code", "format": "html", "content": "<b>1</b>"}
{"role": "assistant", "type": "code", "format": "html", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "html", "content": "<b>1</b>"}}
`,
	}},
	New: protocol.Report(lmc.Confirmation, findConfirmedComputerCode),
}

func findConfirmedComputerCode(_ *lint.Pass, e *lmc.ConfirmationEvent) lint.Finding {
	if e.Code == nil || e.Code.Role != "computer" {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   e.Record.Place(),
		Message: "confirmation of code that the computer displayed",
		Help:    "decline it in the client; the computer has already displayed this code",
		Related: []lint.Related{{Message: "displayed here", Place: e.Code.Start.Place()}},
	}
}
