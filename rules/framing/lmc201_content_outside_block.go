package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var contentOutsideBlock = &lint.Rule{
	ID: "LMC201", Name: "content-outside-block", Since: "0.1",
	Summary: "Content comes while no block is open",
	Rationale: "Consumers create a message at the start flag and add content to it. Without the start the content is dropped, " +
		"raises an exception, or is glued to the message before. A run of like chunks is one finding: they lost one start.",
	Evidence: []string{
		"documents, streaming-response: a message is framed by a start and an end chunk",
		"all 25,164 content chunks of the recordings stand in an open block",
		"wild: a fork's server dropped the flags of 212 chunks",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the start of the second message was lost",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are you?"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC201 4:1"},
	}},
	Good: []lint.Example{{
		Name: "content stands between a start and an end",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are you?"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.ContentOutsideBlock, func(e *lmc.Event) {
			if e.Sent {
				return // LMC609 knows what the server makes of it
			}
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: fmt.Sprintf("content of %s comes while no block is open", protocol.RecordName(e.Record)),
				Help:    "send a start first: a record with the same role, type and format and \"start\": true; without one, consumers append this to the message before, or fail",
			})
		}))
	},
}
