package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var frameBeforeAuth = &lint.Rule{
	ID: "LMC606", Name: "frame-before-auth",
	Summary: "A frame was sent before authentication",
	Rationale: "A server that requires a key responds {\"auth\": false} to each frame before the key, and drops it: the message is " +
		"lost. If only its start was dropped, the server answers the rest with an error. In dialect classic, " +
		"the server keeps such frames until the key comes: nothing is reported.",
	Evidence: []string{
		"recordings ws_auth, ws_auth_nokey: the server responds auth false to the frames before the key, which have no effect",
		"async_core.py, websocket_endpoint(): frames before the key are not read; the documentation does not mention it",
		"endolith/open-interpreter, test of a payload before authentication: the first message was silently lost; #249 has the server keep it",
	},
	Requirements: []string{"LMC-SES-6"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a message before the key",
		Input: `{"dir": "send", "frame": {"role": "user", "type": "message", "start": true}}
{"dir": "recv", "frame": {"auth": false}}
{"dir": "send", "frame": {"auth": "my-key"}}
{"dir": "recv", "frame": {"auth": true}}
` + greeted + replied + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "type": "message", "start": true}}
{"dir": "recv", "frame": {"auth": false}}
`, ""},
		Want: []string{"LMC606 1:26"},
	}},
	Good: []lint.Example{{
		Name: "the key is sent first",
		Input: `{"dir": "send", "frame": {"auth": "my-key"}}
{"dir": "recv", "frame": {"auth": true}}
` + greeted + replied + completed,
	}},
	New: protocol.Report(session.SentBeforeAuth, reportFrameBeforeAuth),
}

func reportFrameBeforeAuth(_ *lint.Pass, r *lmc.Record) lint.Finding {
	return lint.Finding{
		Place:   r.Place(),
		Message: protocol.RecordName(r) + " was sent before authentication",
		Help:    `send {"auth": KEY} first, wait for {"auth": true}, then send this frame again; the server dropped it`,
	}
}
