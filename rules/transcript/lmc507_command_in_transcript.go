package transcript

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var commandInTranscript = &lint.Rule{
	ID: "LMC507", Name: "command-in-transcript", Since: "0.1",
	Summary: "A user's command to the server is stored as a message",
	Rationale: "go and stop are for the server. Stored in the history they have no meaning for a model, and Open Interpreter's converter " +
		"raises an error at a type that it does not know: the conversation cannot go on.",
	Evidence: []string{
		"documents, server usage: a command is a frame of the user's",
		"recordings of 0.3.4 over WebSocket: that server knows no commands and stores them",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Transcripts, Protocol: protocol.LMC{}, ShapeOnly: lint.Mask(lmc.Message),
	Bad: []lint.Example{{
		Name: "go was stored",
		Input: `[{"role": "user", "type": "message", "content": "List the files."},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "user", "type": "command", "content": "go"},
{"role": "computer", "type": "console", "format": "output", "content": "data.csv\n"}]
`,
		Want: []string{"LMC507 3:26"},
	}},
	Good: []lint.Example{{
		Name: "the word is fine as a message",
		Input: `[{"role": "user", "type": "message", "content": "go"},
{"role": "assistant", "type": "message", "content": "Where to?"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Message, func(e *lmc.Event) {
			r := e.Record
			if r == nil || protocol.IsChunk(r) || protocol.IsEphemeral(r) || !protocol.IsCommand(r) {
				return
			}
			message := "a user's command in a transcript"
			if command := r.Text(); command != "" {
				message = fmt.Sprintf("a user's command %s in a transcript", protocol.Quoted(command))
			}
			p.Report(lint.Finding{
				Place:   r.PlaceOf("type"),
				Message: message,
				Help:    "leave this record out of the history",
			})
		}))
	},
}
