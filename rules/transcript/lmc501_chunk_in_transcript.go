package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var chunkInTranscript = &lint.Rule{
	ID: "LMC501", Name: "chunk-in-transcript", Since: "0.1",
	Summary: "A transcript contains a chunk with a start or end flag",
	Rationale: "A transcript is a list of whole messages. Open Interpreter raises KeyError 'content' at a flag when it restores " +
		"or continues the conversation; a flag with empty content becomes an empty message to the model. Programs that " +
		"append every chunk to their history store such lists.",
	Evidence: []string{
		"documentation, streaming-response: start and end frame the chunks of a stream",
		"issues: KeyError after chunks were saved as messages",
		"recordings: none of 3,536 stored messages has a flag",
	},
	Severity: lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message stored with its flags",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "start": true},
{"role": "assistant", "type": "message", "content": "Hello"},
{"role": "assistant", "type": "message", "end": true}]
`,
		Want: []string{"LMC501 2:42", "LMC501 4:42"},
	}},
	Good: []lint.Example{{
		Name: "whole messages",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hello"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.On(lmc.Shape, func(e *lmc.Event) {
			r := e.Record
			if r == nil || !protocol.IsChunk(r) {
				return
			}
			flag := r.StartNode
			if flag == nil {
				flag = r.EndNode
			}
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOfKey(flag),
				Message: fmt.Sprintf("chunk with %s in a transcript", protocol.Quoted(flag.Name)),
				Help:    "join the contents of each block into one message; if this is a stream, pass --kind stream",
			})
		})}
	},
}
