package execution

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var outputAfterFinalLine = &lint.Rule{
	ID: "LMC309", Name: "output-after-final-line", Since: "0.1",
	Summary: "Content follows the active_line null that ends an execution",
	Rationale: "An active_line of null says that nothing runs any more. Consumers clear the highlight and may stop reading the block; what comes " +
		"after it in the same block is lost on them.",
	Evidence: []string{"in 503 of 503 recorded executions the end of the block follows the null directly"},
	Severity: lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "output after null",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC309 7:1"},
	}},
	Good: []lint.Example{{
		Name: "null comes last",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "console", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		told := 0 // the number of the last block of which it was told
		return protocol.StatefulHooks(func() { told = 0 }, protocol.On(lmc.Content|lmc.ActiveLine, func(e *lmc.Event) {
			b := e.Block
			if b.Nulls == 0 || b.Number == told || b.Nulls == 1 && endsExecution(e.Record) {
				return
			}
			told = b.Number
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: "content follows the active_line null that ends the execution",
				Help:    "send null last, directly before the block's end",
				Related: []lint.Related{{Message: "the execution ended here", Place: b.Final.Place()}},
			})
		}))
	},
}

// endsExecution reports whether a chunk is an active_line of null.
func endsExecution(r *lmc.Record) bool {
	return r.Format == "active_line" && r.Content != nil && r.Content.Kind == source.Null
}
