package session

import (
	"fmt"
	"time"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var missingComplete = &lint.Rule{
	ID: "LMC601", Name: "missing-complete",
	Summary: "A response has no closing complete status",
	Rationale: "Open Interpreter's server ends each response with complete. A client that reads until complete, as the " +
		"documentation prescribes, waits forever without it. A response that the user stopped or interrupted with a new " +
		"message has none.",
	Evidence: []string{
		"documentation, server/usage: the server ends a response with the status complete",
		"recordings: the last frame of each of 81 uninterrupted sessions is complete",
		"recording ws_error of 0.3.4: the model fails, and no frame follows",
	},
	Requirements: []string{"LMC-SES-1"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "the recording ends without complete",
		Input: greeted + replied,
		Edits: []string{`{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
`, `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`},
		Want: []string{"LMC601 6:26"},
	}, {
		Name:  "the next message precedes complete",
		Input: greeted + replied + greeted + replied + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
`, "", `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`, `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`},
		Want: []string{"LMC601 6:26"},
	}, {
		Name:  "no response at all",
		Input: greeted + replied + completed + greeted,
		Edits: []string{`{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
`, `{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "content": "Hello!"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "end": true}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`},
		Want: []string{"LMC601 10:26"},
	}},
	Good: []lint.Example{{
		Name:  "complete closes the response",
		Input: greeted + replied + completed,
	}},
	New: newMissingComplete,
}

func newMissingComplete(p *lint.Pass) []lint.Hook {
	report := func(at source.Place, message string) { p.Report(noComplete(at, message)) }
	return []lint.Hook{
		protocol.On(session.Incomplete, func(at *source.PlaceRef) {
			report(at.Place(), "the response ends without complete")
		}),
		protocol.On(session.Unanswered, func(at *source.PlaceRef) {
			report(at.Place(), "the session ends before the server responds to this message")
		}),
		protocol.On(session.UnexpectedStatus, func(r *lmc.Record) {
			report(r.PlaceOf("content"), fmt.Sprintf("the response ends with status %s, expected complete", protocol.Quoted(r.Text())))
		}),
	}
}

// IdleResponse returns the finding about a response that has no complete, where nothing
// followed its last frame for a time: who reads a live session knows it before its end.
func IdleResponse(frame source.Place, idle time.Duration) lint.Finding {
	f := noComplete(frame, fmt.Sprintf("the response has no complete %s after its last frame", idle))
	f.Rule, f.Conversation = missingComplete, -1
	return f
}

func noComplete(at source.Place, message string) lint.Finding {
	return lint.Finding{
		Place:   at,
		Message: message,
		Help:    `send {"role": "server", "type": "status", "content": "complete"} at the end of each response, also after an error`,
	}
}
