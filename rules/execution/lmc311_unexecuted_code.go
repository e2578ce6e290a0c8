package execution

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var unexecutedCode = &lint.Rule{
	ID: "LMC311", Name: "unexecuted-code",
	Summary: "Code is neither confirmed nor run before the next code or the end of the input",
	Rationale: "The code had no effect: the consumer stopped reading, the model wrote text after its code, or the confirmation " +
		"and the execution are missing from the recording. Consumers show the code and continue.",
	Evidence:     []string{"recordings text_after_code and review_warning of 0.2 and 0.3.4"},
	Requirements: []string{"LMC-EXE-11"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "the stream ends at the code",
		Input: example.ShellCode,
		Want:  []string{"LMC311 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "a consumer may stop at the confirmation",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: protocol.Report(lmc.UnexecutedCode, findUnexecutedCode),
}

func findUnexecutedCode(p *lint.Pass, c *lmc.Code) lint.Finding {
	if protocol.StateOf(p).Dialect.Confirmation == schema.ConfirmNever {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   c.Start.Place(),
		Message: "code neither confirmed nor run",
		Help:    "read and record the response to its end; without a confirmation the code does not run",
	}
}
