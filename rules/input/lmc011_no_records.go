package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var noRecords = &lint.Rule{
	ID: "LMC011", Name: "no-records",
	Summary: "The input contains no records",
	Rationale: "A check of an empty input would pass without checking anything. Usually the recording failed, the file " +
		"name is wrong, or the program before the pipe wrote nothing. An empty list, also under messages, is an empty " +
		"conversation and valid. Set allow-empty where an empty file is.",
	Evidence:     []string{"recording empty_llm: a model without any output produces a stream without chunks"},
	Requirements: []string{"LMC-INP-7"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "an empty file",
		Input: "",
		Want:  []string{"LMC011 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "one message is enough",
		Input: `[{"role": "user", "type": "message", "content": "Hi"}]`,
	}, {
		Name:  "an empty conversation",
		Input: "[]\n",
	}},
	New: newNoRecords,
}

func newNoRecords(p *lint.Pass) []lint.Hook {
	explained := false
	return []lint.Hook{{On: protocol.ProblemEvent, Do: func(event any) {
		explained = explained || event.(*protocol.Problem).IsFatal()
	}}, {On: protocol.NoRecordsEvent, Do: func(any) {
		if !explained {
			first := source.Position{Line: 1, Column: 1}
			p.Report(lint.Finding{
				Place:   source.Place{Span: source.Span{Start: first, End: first}, Record: -1},
				Message: "the input contains no records",
				Help:    "check that this is the right file; if it may be empty, set allow-empty",
			})
		}
	}}}
}
