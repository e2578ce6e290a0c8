package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var confirmationWithoutCode = &lint.Rule{
	ID: "LMC302", Name: "confirmation-without-code",
	Summary: "A confirmation has no code block since the last execution",
	Rationale: "The user is asked to confirm code that was never shown. If the confirmation is the first " +
		"record or precedes its code, Open Interpreter's terminal raises UnboundLocalError and its accumulate() an exception.",
	Evidence: []string{
		"documentation, streaming-response: a confirmation follows its code",
		"every recorded confirmation follows code, except for HTML that the computer displayed (LMC303)",
	},
	Requirements: []string{"LMC-EXE-3"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "no code was streamed",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "One moment."}
{"role": "assistant", "type": "message", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`,
		Edits: []string{`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`, `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`},
		Want: []string{"LMC302 4:1"},
	}, {
		Name:  "an extra confirmation before the code",
		Input: example.Confirmed + example.ShellCode + example.Confirmed + example.Executed,
		Edits: []string{"", `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
`},
		Want: []string{"LMC302 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "the confirmation follows its code",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: protocol.Report(lmc.Confirmation, findConfirmationWithoutCode),
}

func findConfirmationWithoutCode(p *lint.Pass, e *lmc.ConfirmationEvent) lint.Finding {
	if e.Code != nil || !protocol.StateOf(p).ComparesConfirmations() {
		return lint.Finding{}
	}
	kind := what(e.Asked.Edit)
	return lint.Finding{
		Place:   e.Record.Place(),
		Message: "confirmation without " + protocol.WithArticle(kind) + " block since the last execution",
		Help:    "stream the " + kind + " block first; the recording may start mid-conversation",
	}
}
