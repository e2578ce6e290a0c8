package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var contentMismatch = &lint.Rule{
	ID: "LMC206", Name: "content-mismatch",
	Summary: "A content chunk's role, type or format differs from the open block's",
	Rationale: "Consumers append content to the open block. At content of another role, type or format Open Interpreter's terminal raises an " +
		"AttributeError; accumulate() splits the block in three; web clients drop the content or append it to the wrong message. A run of such chunks is reported once.",
	Evidence: []string{
		"all 25,164 recorded content chunks repeat the role, type and format of their block",
		"async_core.py, accumulate(): content of another type or format silently starts a new message",
	},
	Requirements: []string{"LMC-STR-6"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "console output in the middle of a message",
		Input: `{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>"}
{"role": "computer", "type": "console", "format": "output", "content": "1\n"}
{"role": "computer", "type": "code", "format": "html", "content": "1</b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
`,
		Edits: []string{`"console", "format": "output"`, `"code", "format": "html"`},
		Want:  []string{"LMC206 3:30"},
	}},
	Good: []lint.Example{{
		Name: "console output has its own block",
		Input: `{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>1</b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
`,
	}},
	New: protocol.Report(lmc.ContentMismatch, reportContentMismatch),
}

func reportContentMismatch(p *lint.Pass, e *lmc.FramingError) lint.Finding {
	at := differing(e)
	if p.RepeatsAt("", at) {
		return lint.Finding{}
	}
	return lint.Finding{
		Place:   at,
		Message: fmt.Sprintf("%s content in the open block %s", protocol.RecordName(e.Record), e.Block.Name()),
		Help:    helpForSide(e.Sent, "use the role, type and format of the open block, or send this in a block of its own, before or after it", "start a message of several parts without a type; the server stores this as a separate message"),
		Related: []lint.Related{{Message: "block opened here", Place: e.Block.Start.Place()}},
	}
}

// differing returns the place of the first of role, type and format in which the
// record differs from its block.
func differing(e *lmc.FramingError) source.Place {
	switch {
	case e.Record.Role != e.Block.Role:
		return e.Record.PlaceOf("role")
	case e.Record.Type != e.Block.Type:
		return e.Record.PlaceOf("type")
	}
	return e.Record.PlaceOf("format")
}
