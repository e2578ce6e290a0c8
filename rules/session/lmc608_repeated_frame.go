package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var repeatedFrame = &lint.Rule{
	ID: "LMC608", Name: "repeated-frame",
	Summary: "A frame was delivered more than once",
	Rationale: "In acknowledge mode the server repeats a frame when no ack arrives in time. Web clients and the client of the " +
		"documentation ignore the id and show the text twice. The repeated frame counts once here; complete frames all " +
		"share an id and are exempt. Without an id, a second complete of one response is reported: a client that waits for " +
		"one after each message takes it for the end of the next response.",
	Evidence: []string{
		"recording ws_noack: the same frame with the same id, repeatedly",
		"async_core.py, send_output(): a frame is sent until its id is acknowledged",
	},
	Requirements: []string{"LMC-SES-8"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an end flag delivered twice",
		Input: greetedBack + `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true, "id": "a3"}}
` + lastReceipt + completedWithID,
		Want: []string{"LMC608 9:26"},
	}, {
		Name: "in received frames",
		Input: `{"role": "assistant", "type": "message", "start": true, "id": "a1"}
{"role": "assistant", "type": "message", "start": true, "id": "a1"}
{"role": "assistant", "type": "message", "content": "Hi", "id": "a2"}
{"role": "assistant", "type": "message", "end": true, "id": "a3"}
`,
		Want: []string{"LMC608 2:1"},
	}, {
		Name:  "complete, twice for one response",
		Input: greeted + replied + completed + completed,
		Want:  []string{"LMC608 8:26"},
	}},
	Good: []lint.Example{{
		Name:  "each frame has its own id",
		Input: greetedBack + lastReceipt + completedWithID,
	}},
	New: protocol.Report(lmc.Redelivered, reportRepeatedFrame),
}

func reportRepeatedFrame(_ *lint.Pass, r *lmc.Record) lint.Finding {
	if r.ID == nil {
		return lint.Finding{
			Place:   r.Place(),
			Message: protocol.RecordName(r) + " was sent again for one response",
			Help:    "send complete once after each response",
		}
	}
	return lint.Finding{
		Place:   r.Place(),
		Message: protocol.RecordName(r) + " was delivered again with id " + protocol.Quoted(r.Key("id").Text()),
		Help:    "keep the ids of received frames and ignore repeats",
	}
}
