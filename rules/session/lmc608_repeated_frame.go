package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var repeatedFrame = &lint.Rule{
	ID: "LMC608", Name: "repeated-frame", Since: "0.1",
	Summary: "A frame was delivered again",
	Rationale: "In acknowledge mode the server sends a frame again when no ack comes in time. A client that does not look at the id " +
		"shows the text twice. The frame counts once here; all complete frames share an id and are not meant.",
	Evidence: []string{
		"recording ws_noack: the same frame with the same id, over and over",
		"async_core.py, send_output(): a frame is sent until its id is acknowledged",
	},
	Severity: lint.SeverityNote, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the end comes twice",
		Input: greetedBack + `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true, "id": "a3"}}
` + lastReceipt + completedWithID,
		Want: []string{"LMC608 9:26"},
	}},
	Good: []lint.Example{{
		Name:  "each frame has an id of its own",
		Input: greetedBack + lastReceipt + completedWithID,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Redelivered, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: protocol.RecordName(e.Record) + " was delivered again under the id " + protocol.Quoted(e.Record.Key("id").Text()),
				Help:    "remember the ids that came, and pass over a frame whose id is among them",
			})
		}))
	},
}
