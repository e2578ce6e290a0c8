package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var contentMismatch = &lint.Rule{
	ID: "LMC206", Name: "content-mismatch", Since: "0.1",
	Summary: "Content has another role, type or format than the open block",
	Rationale: "Consumers add content to the block that is open. Content of another kind ends up in the wrong message, or opens a " +
		"new one that nobody closes. A run of like chunks is one finding.",
	Evidence: []string{
		"all 25,164 content chunks of the recordings repeat their block's role, type and format",
		"async_core.py, accumulate(): content of another type or format silently begins a new message",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "console output in the middle of a message",
		Input: `{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>"}
{"role": "computer", "type": "console", "format": "output", "content": "1\n"}
{"role": "computer", "type": "code", "format": "html", "content": "1</b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
`,
		Want: []string{"LMC206 3:30"},
	}},
	Good: []lint.Example{{
		Name: "each kind of content stands in a block of its own",
		Input: `{"role": "computer", "type": "code", "format": "html", "start": true}
{"role": "computer", "type": "code", "format": "html", "content": "<b>1</b>"}
{"role": "computer", "type": "code", "format": "html", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.ContentMismatch, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   differing(e),
				Message: fmt.Sprintf("content of %s comes while %s is open", protocol.RecordName(e.Record), e.Block.Name()),
				Help:    helpForSide(e, "end the open block first and start a new one, or repeat the open block's role, type and format", "the server makes a message of its own of this: start a message of several parts without a type"),
				Related: []lint.Related{{Message: "opened here", Place: e.Block.Start.Place()}},
			})
		}))
	},
}

// differing is the place of the first of role, type and format in which a
// record differs from its block.
func differing(e *lmc.Event) source.Place {
	switch {
	case e.Record.Role != e.Block.Role:
		return e.Record.PlaceOf("role")
	case e.Record.Type != e.Block.Type:
		return e.Record.PlaceOf("type")
	}
	return e.Record.PlaceOf("format")
}
