package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var unacknowledgedFrame = &lint.Rule{
	ID: "LMC607", Name: "unacknowledged-frame",
	Summary: "A frame is not acknowledged, or an acknowledged id was never sent",
	Rationale: "In acknowledge mode the server repeats a frame without end until the client sends its id back, and sends nothing else " +
		"in the meantime: complete never comes. An id that the server never sent has no effect.",
	Evidence: []string{
		"documentation, server/usage: acknowledge mode",
		"recording ws_noack: the first frame is sent repeatedly",
		"recording ws_ack: each frame is acknowledged before the next",
	},
	Requirements: []string{"LMC-SES-7"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "a missing ack",
		Input: greetedBack + completedWithID,
		Edits: []string{`{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete", "id": "c1"}}
`, `{"dir": "send", "frame": {"ack": "a3"}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete", "id": "c1"}}
`},
		Want: []string{"LMC607 8:26"},
	}, {
		Name: "an ack with another id",
		Input: greetedBack + `{"dir": "send", "frame": {"ack": "A3"}}
` + completedWithID,
		Edits: []string{`"A3"`, `"a3"`},
		Want:  []string{"LMC607 9:34"},
	}},
	Good: []lint.Example{{
		Name:  "each frame is acknowledged",
		Input: greetedBack + lastReceipt + completedWithID,
	}},
	New: newUnacknowledgedFrame,
}

func newUnacknowledgedFrame(p *lint.Pass) []lint.Hook {
	const answer = `acknowledge each frame that has an id with {"ack": id}; until then the server repeats it`
	return []lint.Hook{protocol.On(session.Unacknowledged, func(at *source.PlaceRef) {
		p.Report(lint.Finding{Place: at.Place(), Message: "frame was never acknowledged", Help: answer})
	}), protocol.On(session.NothingAcknowledged, func(at *source.PlaceRef) {
		p.Report(lint.Finding{Place: at.Place(), Message: "frame was never acknowledged, nor was any other", Help: answer})
	}), protocol.On(session.UnknownAck, func(r *lmc.Record) {
		id := protocol.Quoted(r.Key("ack").Text())
		p.Report(lint.Finding{
			Place: r.PlaceOf("ack"), Message: "acknowledged id " + id + " was not sent before",
			Help: "acknowledge the id of a received frame; if " + id + " is correct, the log lacks that frame",
		})
	})}
}
