package execution

import (
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var unconfirmedExecution = &lint.Rule{
	ID: "LMC301", Name: "unconfirmed-execution",
	Summary: "Code runs without a confirmation",
	Rationale: "At the confirmation a program can ask its user, or stop, before a model's code runs on the user's " +
		"computer. An execution without one means that code ran without approval, or that the recording lost the " +
		"confirmation. A confirmation that comes after the code began to run is this mistake, too, and so is output after a message with no new code since the last execution. " +
		"Until a confirmation is seen only the first such execution is reported: the recording may have none.",
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
		Edits: []string{`{"role": "computer", "type": "console", "start": true}
`, `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -r build"}}
{"role": "computer", "type": "console", "start": true}
`},
		Want: []string{"LMC301 4:1"},
	}, {
		Name:  "a recording without any confirmation",
		Input: strings.Repeat(example.ShellCode+example.Executed, 3),
		Edits: []string{`{"role": "computer", "type": "console", "start": true}
`, `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`},
		Want: []string{"LMC301 4:1", "LMC301 11:1", "LMC301 18:1"},
	}, {
		Name:  "the first code is confirmed, the others are not",
		Input: example.ShellCode + example.Confirmed + strings.Repeat(example.Executed+example.ShellCode, 2) + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`},
		Want: []string{"LMC301 12:1", "LMC301 19:1"},
	}, {
		Name: "the confirmation comes after the output began",
		Input: example.ShellCode + `{"role": "computer", "type": "console", "start": true}
` + example.Confirmed + `{"role": "computer", "type": "console", "format": "active_line", "content": 1}
` + example.Ran,
		Edits: []string{`{"role": "computer", "type": "console", "start": true}
`, `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "start": true}
`, `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
{"role": "computer", "type": "console", "format": "active_line", "content": 1}
`, `{"role": "computer", "type": "console", "format": "active_line", "content": 1}
`},
		Want: []string{"LMC301 4:1"},
	}, {
		Name:  "output after the answer, with nothing new confirmed",
		Input: example.Turn + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "message", "end": true}
`, `{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls"}}
`},
		Want: []string{"LMC301 13:1"},
	}},
	Good: []lint.Example{{
		Name:  "confirmed before it runs",
		Input: example.ShellCode + example.Confirmed + example.Executed,
	}, {
		Name: "recorded with auto_run", Config: lint.Config{AutoRun: true},
		Input: example.ShellCode + example.Executed,
	}, {
		Name: "refused code does not run", Config: lint.Config{Dialect: "interpreter"},
		Input: `{"role": "assistant", "type": "code", "format": "applescript", "start": true}
{"role": "assistant", "type": "code", "format": "applescript", "content": "beep"}
{"role": "assistant", "type": "code", "format": "applescript", "end": true}
{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "` + "`applescript`" + ` disabled or not supported."}
{"role": "computer", "type": "console", "end": true}
`,
	}},
	New: newUnconfirmedExecution,
}

func newUnconfirmedExecution(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	confirmed := false
	waiting := 0 // the number of the code that the last finding is about
	return []lint.Hook{
		protocol.On(lmc.Confirmation, func(e *lmc.ConfirmationEvent) {
			confirmed = true
			if f := p.LastDeferred(); f != nil && e.Code != nil && e.Code.Number == waiting {
				setLate(f, e.Code, e.Record)
			}
		}),
		protocol.On(lmc.Execution, func(e *lmc.ExecutionEvent) {
			c, isLate := e.Run.Code, e.Late != nil
			if c == nil || c.Confirmed != nil || c.Note || e.Run.Refused || !s.Confirms() {
				return
			}
			kind := what(c.Edit)
			f := lint.Finding{
				Place:   e.Run.First.Start.Place(),
				Message: ran(c) + " without a confirmation",
				Cause:   "no confirmation",
				Help:    "send a confirmation before " + kind + " runs, as for what ran before",
				Related: []lint.Related{{Message: kind + " streamed here", Place: c.Start.Place()}},
			}
			switch {
			case isLate:
				setLate(&f, c, e.Record)
			case confirmed:
			case s.Dialect.Confirmation == schema.ConfirmAlways: // --auto-run has no effect
				f.Help = "send a confirmation before the code runs, which this dialect requires with auto_run, too; if recorded from the server, pass --dialect server"
			default:
				f.Help = "recorded with auto_run? pass --auto-run; recorded from the server? pass --dialect server; else send a confirmation before the code runs"
			}
			if !isLate {
				waiting = c.Number
				if !confirmed {
					f.Message += "; the input has none so far"
				}
				if s.Dialect.Allowlist && !c.Edit {
					f.Help += "; code on the user's allowlist runs without one"
				}
			}
			protocol.ReportUnless(p, f, func(d *schema.Dialect) bool { return !s.ConfirmsIn(d) })
		}),
		protocol.On(lmc.RanAgain, func(e *lmc.OutputEvent) {
			if !confirmed || !s.Confirms() || s.Dialect.LateOutput {
				return
			}
			protocol.ReportUnless(p, lint.Finding{
				Place:   e.Block.Start.Place(),
				Message: "output after a message, with no new code or confirmation since the last execution",
				Help:    "send the code that runs and its confirmation first, or the output before the message",
				Related: []lint.Related{{Message: "the last " + what(e.Code.Edit) + " streamed here", Place: e.Code.Start.Place()}},
			}, func(d *schema.Dialect) bool { return d.LateOutput })
		}),
	}
}

// setLate makes a finding say that the confirmation of code, which r is, came too late.
func setLate(f *lint.Finding, c *lmc.Code, r *lmc.Record) {
	f.Message, f.Cause = ran(c)+" before its confirmation", "late confirmation"
	f.Help = "send the confirmation first, and run the " + what(c.Edit) + " after the user's answer"
	f.Related = append(f.Related, lint.Related{Message: "confirmed here", Place: r.Place()})
}

// ran says what ran.
func ran(c *lmc.Code) string {
	if c.Edit {
		return "an edit was made"
	}
	return "code ran"
}
