package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var endMismatch = &lint.Rule{
	ID: "LMC205", Name: "end-mismatch", Since: "0.1",
	Summary: "An end has another role, type or format than the open block",
	Rationale: "A consumer that looks for the end by role, type and format does not find it and keeps the block open. " +
		"One that does not look closes the wrong block.",
	Evidence: []string{"all 2,366 end chunks of the recordings repeat their start's role, type and format"},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message is ended as the computer's console",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "computer", "type": "console", "end": true}
`,
		Want: []string{"LMC205 3:10"},
	}},
	Good: []lint.Example{{
		Name: "the end repeats the start's role, type and format",
		Input: `{"role": "computer", "type": "image", "format": "path", "start": true}
{"role": "computer", "type": "image", "format": "path", "content": "/tmp/plot.png"}
{"role": "computer", "type": "image", "format": "path", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.EndMismatch, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   differing(e),
				Message: fmt.Sprintf("%s ends, but %s is open", protocol.RecordName(e.Record), e.Block.Name()),
				Help:    helpForSide(e, "an end repeats the role, type and format of its start", "the server takes any end for the end of the message: repeat the start's type and format, or leave them out of both"),
				Related: []lint.Related{{Message: "opened here", Place: e.Block.Start.Place()}},
			})
		}))
	},
}
