package execution

import (
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var unconfirmedExecution = &lint.Rule{
	ID: "LMC301", Name: "unconfirmed-execution", Since: "0.1",
	Summary: "Code runs without a confirmation",
	Rationale: "At the confirmation a program can ask its user, or stop, before a model's code runs on the user's " +
		"computer. An execution without one means that code ran without approval, or that the recording lost the " +
		"confirmation. Until a confirmation is seen only the first such execution is reported: the recording may have none.",
	Evidence: []string{
		"documentation, streaming-response: a confirmation chunk is sent before code runs",
		"in 30,513 recorded chunks, every execution with auto_run off has one, except refused code and note formats",
		"respond.py: no confirmation with auto_run since 0.3.4; async_core.py: none over WebSocket since 0.3.6",
	},
	Requirements: []string{"LMC-EXE-1"},
	Severity:     lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the console block follows the code directly",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "rm -r build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
` + example.Executed,
		Want: []string{"LMC301 4:1"},
	}, {
		Name:  "a recording without any confirmation is one mistake",
		Input: strings.Repeat(example.ShellCode+example.Executed, 3),
		Want:  []string{"LMC301 4:1"},
	}, {
		Name:  "the first code is confirmed, the others are not",
		Input: example.ShellCode + example.Confirmed + strings.Repeat(example.Executed+example.ShellCode, 2) + example.Executed,
		Want:  []string{"LMC301 12:1", "LMC301 19:1"},
	}},
	Good: []lint.Example{{
		Name:  "confirmed before it runs",
		Input: example.ShellCode + example.Confirmed + example.Executed,
	}, {
		Name: "recorded with auto_run", AutoRun: true,
		Input: example.ShellCode + example.Executed,
	}, {
		Name: "refused code does not run", Dialect: "interpreter",
		Input: `{"role": "assistant", "type": "code", "format": "applescript", "start": true}
{"role": "assistant", "type": "code", "format": "applescript", "content": "beep"}
{"role": "assistant", "type": "code", "format": "applescript", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "` + "`applescript`" + ` disabled or not supported."}
{"role": "computer", "type": "console", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		held := &protocol.DeferredFindings{Pass: p, Apply: (*protocol.State).Confirms}
		confirmed, reported := false, false
		return []lint.Hook{
			protocol.On(lmc.Confirmation, func(*lmc.Event) { confirmed = true }),
			protocol.On(lmc.Execution, func(e *lmc.Event) {
				if e.Code == nil || e.Code.Confirmed != nil || e.Code.Note || e.Run.Refused || !protocol.StateOf(p).Confirms() {
					return
				}
				if !confirmed && reported {
					return // a recording without any confirmation is one mistake
				}
				reported = true
				f := lint.Finding{
					Place:   e.Block.Start.Place(),
					Message: ran(e.Code) + " without a confirmation",
					Help:    "send a confirmation before " + what(e.Code) + " runs, as for what ran before",
					Related: []lint.Related{{Message: what(e.Code) + " streamed here", Place: e.Code.Start.Place()}},
				}
				if !confirmed {
					f.Message += "; the input has none so far"
					f.Help = noneConfirmedHelp(protocol.StateOf(p).Dialect)
				}
				if protocol.StateOf(p).Dialect.Allowlist && !e.Code.Edit {
					f.Help += "; code on the user's allowlist runs without one"
				}
				held.Report(f)
			}),
			held.Release(),
		}
	},
}

// ran says what ran.
func ran(c *lmc.Code) string {
	if c.Edit {
		return "an edit was made"
	}
	return "code ran"
}

// noneConfirmedHelp returns what to do about a recording without confirmations.
// What --auto-run declares has no effect in a dialect that always confirms.
func noneConfirmedHelp(d *schema.Dialect) string {
	if d.Confirmation == schema.ConfirmAlways {
		return "send a confirmation before the code runs, which this dialect requires with auto_run, too; if recorded from the server, pass --dialect server"
	}
	return "send a confirmation before the code runs; if recorded with auto_run, pass --auto-run; from the server, --dialect server"
}
