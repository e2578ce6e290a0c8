package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var missingFinalLine = &lint.Rule{
	ID: "LMC310", Name: "missing-final-line",
	Summary: "An execution has no final active_line null",
	Rationale: "The null tells a consumer that the code has ended, so that it can clear the highlight. Without it, consumers " +
		"clear the highlight at the end of the block. Real recordings lack it after a failure of the language's own code.",
	Evidence: []string{
		"426 of 443 recorded executions end with null; the others were closed early or ran React",
		"releases up to 0.1.17 send none",
	},
	Requirements: []string{"LMC-EXE-10"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the console block ends without null",
		Input: example.Running + `{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC310 5:1"},
	}},
	Good: []lint.Example{{
		Name:  "the last console block ends with null",
		Input: example.Listed,
	}},
	New: protocol.Report(lmc.Executed, findMissingFinalLine),
}

func findMissingFinalLine(p *lint.Pass, run *lmc.Run) lint.Finding {
	if !protocol.StateOf(p).Dialect.FinalNull || run.Final || run.Refused || run.Console == nil {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   run.Console.Start.Place(),
		Message: "execution without a final active_line null",
		Help:    "send {\"role\": \"computer\", \"type\": \"console\", \"format\": \"active_line\", \"content\": null} before the end of the last console block",
	}
}
