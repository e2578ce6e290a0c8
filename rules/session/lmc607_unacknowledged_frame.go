package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var unacknowledgedFrame = &lint.Rule{
	ID: "LMC607", Name: "unacknowledged-frame", Since: "0.1",
	Summary: "A frame is not acknowledged, or one that never came is",
	Rationale: "In acknowledge mode the server sends a frame again and again until the client sends its id back, and nothing else in " +
		"the meantime. An id that the server never sent does not help it on.",
	Evidence: []string{
		"documents, server/usage: acknowledge mode",
		"recording ws_noack: the first frame is sent over and over",
		"recording ws_ack: each frame is acknowledged before the next",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "an ack is missing",
		Input: greetedBack + completedWithID,
		Want:  []string{"LMC607 8:26"},
	}, {
		Name: "an ack of another id",
		Input: greetedBack + `{"dir": "send", "frame": {"ack": "A3"}}
` + completedWithID,
		Want: []string{"LMC607 9:34"},
	}},
	Good: []lint.Example{{
		Name:  "each frame is acknowledged",
		Input: greetedBack + lastReceipt + completedWithID,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		tell := func(at source.Place, message, help string) {
			p.Report(lint.Finding{Place: at, Message: message, Help: help})
		}
		const answer = `answer each frame that has an id with {"ack": id}; until then the server sends it again`
		return protocol.Hooks(
			protocol.On(lmc.Unacknowledged, func(e *lmc.Event) {
				tell(e.Last.Place(), "this frame was never acknowledged", answer)
			}),
			protocol.On(lmc.NothingAcknowledged, func(e *lmc.Event) {
				tell(e.Last.Place(), "this frame was never acknowledged, and no other one was", answer)
			}),
			protocol.On(lmc.UnknownAck, func(e *lmc.Event) {
				tell(e.Record.PlaceOf("ack"), "no frame with the id "+protocol.Quoted(e.Record.Key("ack").Text())+" came before",
					"send back the very id that the frame has; if it is right, the log lacks the frame")
			}),
		)
	},
}
