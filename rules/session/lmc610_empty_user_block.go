package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var typelessEmpty = lint.SeverityCase{Severity: lint.SeverityError, When: "flags without a type"}

var emptyUserBlock = &lint.Rule{
	ID: "LMC610", Name: "empty-user-block",
	Summary: "A user block has no content",
	Rationale: "A start flag followed by an end flag stores a message without content. If the flags have a type, the server answers an " +
		"empty message. If they have none (an error), the server fails with KeyError 'type', and so does the next request, because the message stays in the history.",
	Evidence: []string{
		"recording ws_empty_user: KeyError 'type', and the message stays",
		"OpenInterpreter/01#112: an audio message without any binary frame ends in a TypeError",
	},
	Requirements: []string{"LMC-SES-10"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{typelessEmpty},
	Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "no content between start and end flags",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + failed + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "end": true}}
`, `{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Hi"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
`},
		Want: []string{"LMC610 1:26", "LMC612 3:73"},
	}},
	Good: []lint.Example{{
		Name:  "a message",
		Input: greeted + replied + completed,
	}},
	New: protocol.Report(lmc.Closed, findEmptyUserBlock),
}

func findEmptyUserBlock(_ *lint.Pass, e *lmc.ClosedEvent) lint.Finding {
	b := e.Block
	if !b.Sent || b.Contents > 0 {
		return lint.Finding{}
	}
	f := lint.Finding{Place: b.Start.Place(), Message: "user block has no content"}
	switch b.Type {
	case "command":
		f.Help = "send go or stop between start and end flags; the server treats this as an empty message"
	case "audio":
		f.Help = "send the sound in binary frames between start and end flags"
	case "":
		f.Severity = typelessEmpty.Severity
		f.Help = "send content between start and end flags, or neither flag; the server fails at a message without a type, now and at the next request"
	default:
		f.Help = "send content between start and end flags, or neither flag; the server answers an empty message"
	}
	return f
}
