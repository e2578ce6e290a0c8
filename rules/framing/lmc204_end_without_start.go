package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var endWithoutStart = &lint.Rule{
	ID: "LMC204", Name: "end-without-start",
	Summary: "An end flag has no matching start flag",
	Rationale: "Consumers treat the message as finished a second time: a web client saves it twice, OpenInterpreter/01 delivers a message " +
		"whose fields are all null, and the server calls the model a second time, or answers with an error if there is no message.",
	Evidence: []string{
		"all 2,366 recorded end flags close an open block",
		"recording ws_error: the server responds to such an end flag with an error",
	},
	Requirements: []string{"LMC-STR-4"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the end flag was sent twice",
		Input: saidHi + `{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC204 4:1"},
	}, {
		Name: "end instead of start",
		Input: `{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`"end"`, `"start"`},
		Want:  []string{"LMC204 1:1"},
	}},
	Good: []lint.Example{{
		Name:  "one end flag for each start flag",
		Input: saidHi,
	}},
	New: protocol.Report(lmc.EndWithoutStart, reportEndWithoutStart),
}

func reportEndWithoutStart(p *lint.Pass, e *lmc.FramingError) lint.Finding {
	if p.Repeats("", e.Record.Source, 0) {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   e.Record.Place(),
		Message: fmt.Sprintf("end of %s without a start", protocol.RecordName(e.Record)),
		Help:    helpForSide(e.Sent, fmt.Sprintf("remove this record, or send its start flag and content first; if it starts a block, write \"start\" instead of %q", protocol.StateOf(p).Dialect.EndKey), "send one end flag for each start flag; the server responds to every end flag"),
		Fix:     fix.Unsafe("remove the end flag", fix.Remove(e.Record.Source)),
	}
}
