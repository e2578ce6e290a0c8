package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var consoleFlagFormat = &lint.Rule{
	ID: "LMC209", Name: "console-flag-format",
	Summary: "A console block's start or end flag has a format",
	Rationale: "A console block mixes output and active_line, so its flags have no format. Open " +
		"Interpreter's terminal treats such a flag as output and raises KeyError 'content': the output is lost and the response aborted. Web clients drop output after a flag of format active_line.",
	Evidence: []string{
		"documentation, streaming-response: the console's flags have no format",
		"none of 1,427 recorded console flags has one",
	},
	Requirements: []string{"LMC-STR-9"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{{Severity: lint.SeverityNote, Dialect: "docs"}},
	Fixes:  lint.SafeFixes,
	Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "flags with the format of the content",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "console", "format": "output", "start": true}
{"role": "computer", "type": "console", "format": "output", "content": "README\n"}
` + example.Ran,
		Want: []string{"LMC209 5:51"},
	}},
	Good: []lint.Example{{
		Name:  "flags without a format",
		Input: example.Listed,
	}},
	New: protocol.Report(lmc.Shape, findConsoleFlagFormat),
}

func findConsoleFlagFormat(p *lint.Pass, r *lmc.Record) lint.Finding {
	if !r.Flag() || r.Content != nil || r.Type != "console" || r.Key("format") == nil || p.Repeats("", r.Source, r.Key("format").Start) {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   r.PlaceOf("format"),
		Message: fmt.Sprintf("unexpected format %s on a console flag", protocol.Quoted(r.Format)),
		Help:    "remove \"format\" from the start and end flags of the console; its content chunks have it",
		Fix:     offer.RemoveKey(r.Source, r.Key("format")),
	}
}
