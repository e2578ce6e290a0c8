package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var outputAfterFinalLine = &lint.Rule{
	ID: "LMC309", Name: "output-after-final-line",
	Summary: "Content follows the final active_line null of an execution",
	Rationale: "A null active_line means that the code has ended. Consumers still show what follows, but clear the highlight of the line first, " +
		"and a Streamlit client reports that there is no output before it shows it.",
	Evidence:     []string{"in all 503 recorded executions the end of the block follows the null directly"},
	Requirements: []string{"LMC-EXE-13"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "output after null",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "end": true}
`,
		Edits: []string{`{"role": "computer", "type": "console", "format": "active_line", "content": null}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
`, `{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "format": "active_line", "content": null}
`},
		Want: []string{"LMC309 7:1"},
	}},
	Good: []lint.Example{{
		Name:  "null is last",
		Input: example.Listed,
	}},
	New: newOutputAfterFinalLine,
}

func newOutputAfterFinalLine(p *lint.Pass) []lint.Hook {
	reported := 0 // number of the last block reported
	return []lint.Hook{protocol.On(lmc.Content|lmc.ActiveLine, func(e *lmc.ContentEvent) {
		b, r := e.Block, e.Record
		isFinal := func() bool { return r.Format == "active_line" && r.Content != nil && r.Content.Kind == source.Null }
		if b.Nulls == 0 || b.Number == reported || b.Nulls == 1 && isFinal() || protocol.Explained(p, e) {
			return
		}
		reported = b.Number
		p.Report(lint.Finding{
			Place:   r.Place(),
			Message: "content after the final active_line null of the execution",
			Help:    "send null last, directly before the end flag of the block",
			Related: []lint.Related{{Message: "final active_line", Place: b.Final.Place()}},
		})
	})}
}
