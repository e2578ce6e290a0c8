package session

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var errorWithoutComplete = &lint.Rule{
	ID: "LMC603", Name: "error-without-complete",
	Summary: "A server error has no complete status after it",
	Rationale: "Open Interpreter's server sends complete after each error. A client that reads until complete, as the " +
		"documentation prescribes, waits forever without it.",
	Evidence: []string{
		"recordings ws_error, ws_error_mid: complete follows each error since 0.3.6",
		"recording ws_error of 0.3.4: no complete follows the error, and the recorder timed out",
		"async_core.py, respond(): the error and complete are sent together",
	},
	Requirements: []string{"LMC-SES-2"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "the error is the last frame",
		Input: greeted + failed,
		Edits: []string{`{"dir": "recv", "frame": {"role": "server", "type": "error", "content": "Traceback (most recent call last):\nRuntimeError: model is down"}}
`, `{"dir": "recv", "frame": {"role": "server", "type": "error", "content": "Traceback (most recent call last):\nRuntimeError: model is down"}}
{"dir": "recv", "frame": {"role": "server", "type": "status", "content": "complete"}}
`},
		Want: []string{"LMC612 4:73", "LMC603 4:26"},
	}},
	Good: []lint.Example{{
		Name:  "a response that does not fail",
		Input: greeted + replied + completed,
	}},
	New: protocol.Report(session.ErrorWithoutComplete, reportErrorWithoutComplete),
}

func reportErrorWithoutComplete(_ *lint.Pass, at *source.PlaceRef) lint.Finding {
	return lint.Finding{
		Place:   at.Place(),
		Message: "server error without a following complete",
		Help:    `send {"role": "server", "type": "status", "content": "complete"} after an error; clients wait for it`,
	}
}
