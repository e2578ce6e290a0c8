package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var unknownApproval = &lint.Rule{
	ID: "LMC614", Name: "unknown-approval",
	Summary: "A go names no confirmation that waits for it",
	Rationale: "The server of the community's fork compares the id after go: with the confirmation that it sent last, so " +
		"that the user approves what was on the screen. At any other id it runs nothing.",
	Evidence: []string{
		"endolith/open-interpreter, docs/server/usage: clients send go: with the confirmation_id of the last confirmation",
	},
	Requirements: []string{"LMC-SES-14"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the id of another confirmation", Config: lint.Config{Dialect: "classic"},
		Input: greeted + listed + asked + completed + commanded("go:0000") + ran + completed,
		Edits: []string{`"go:0000"`, `"go:70ddc8dd5ea8fd35b6b8cb767cd7dedc7c9e9ccb39dd26681e1f1008a0ae1dd1"`},
		Want:  []string{"LMC614 10:73"},
	}, {
		Name: "an id that was used before", Config: lint.Config{Dialect: "classic"},
		Input: greeted + listed + asked + completed + commanded("go:"+askedID) + ran + replied + completed + commanded("go:"+askedID) + replied + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "type": "command", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "command", "content": "go:70ddc8dd5ea8fd35b6b8cb767cd7dedc7c9e9ccb39dd26681e1f1008a0ae1dd1"}}
{"dir": "send", "frame": {"role": "user", "type": "command", "end": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
`, `{"dir": "recv", "frame": {"role": "assistant", "type": "message", "start": true}}
`},
		Want: []string{"LMC614 21:73"},
	}},
	Good: []lint.Example{{
		Name: "the id of the last confirmation", Config: lint.Config{Dialect: "classic"},
		Input: greeted + listed + asked + completed + commanded("go:"+askedID) + ran + completed,
	}},
	New: protocol.Report(session.UnknownApproval, reportUnknownApproval),
}

func reportUnknownApproval(_ *lint.Pass, e *session.Command) lint.Finding {
	return lint.Finding{
		Place:   e.At.Place(),
		Message: "go names " + protocol.Quoted(e.Text) + ", which is not a pending confirmation",
		Help:    "send go: with the confirmation_id of the last confirmation, once",
	}
}

// askedID is the id of the confirmation that asked shows.
const askedID = "70ddc8dd5ea8fd35b6b8cb767cd7dedc7c9e9ccb39dd26681e1f1008a0ae1dd1"

const (
	listed = `{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "bash", "start": true}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "bash", "content": "ls"}}
{"dir": "recv", "frame": {"role": "assistant", "type": "code", "format": "bash", "end": true}}
`
	asked = `{"dir": "recv", "frame": {"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "bash", "content": "ls", "removed": null}, "confirmation_id": "` + askedID + `"}}
`
)
