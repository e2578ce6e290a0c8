package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var frameBeforeAuth = &lint.Rule{
	ID: "LMC606", Name: "frame-before-auth", Since: "0.1",
	Summary: "A frame was sent before the server knew the client",
	Rationale: "A server that asks for a key answers {\"auth\": false} to each frame that comes before the key, and drops it. What the " +
		"user said in it is lost.",
	Evidence: []string{
		"recordings ws_auth, ws_auth_nokey: the frames before the key are answered with auth false and have no effect",
		"async_core.py, websocket_endpoint(): nothing is looked at before the key; the documents do not say so",
		"endolith/open-interpreter, test of a payload before authentication: the first message is silently lost",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message before the key",
		Input: `{"dir": "send", "frame": {"role": "user", "type": "message", "start": true}}
{"dir": "recv", "frame": {"auth": false}}
{"dir": "send", "frame": {"auth": "my-key"}}
{"dir": "recv", "frame": {"auth": true}}
` + greeted + replied + completed,
		Want: []string{"LMC606 1:26"},
	}},
	Good: []lint.Example{{
		Name: "the key comes first",
		Input: `{"dir": "send", "frame": {"auth": "my-key"}}
{"dir": "recv", "frame": {"auth": true}}
` + greeted + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.SentBeforeAuth, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: protocol.RecordName(e.Record) + " was sent before the client was authenticated: the server dropped it",
				Help:    `send {"auth": KEY} first and wait for {"auth": true}; then send this frame again`,
			})
		}))
	},
}
