package session

import (
	"strconv"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var serverError = &lint.Rule{
	ID: "LMC612", Name: "server-error",
	Summary:   "The server reported an error",
	Rationale: "The response failed. The frame contains the traceback; its last line names the error.",
	Evidence: []string{
		"documentation, server/usage: error frames",
		"recordings ws_error, ws_audio",
	},
	Requirements: []string{"LMC-SES-12"},
	Severity:     lint.SeverityNote, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "the model is down",
		Input: greeted + failed + completed,
		Want:  []string{"LMC612 4:73"},
	}},
	Good: []lint.Example{{
		Name:  "a response without an error",
		Input: greeted + replied + completed,
	}},
	New: protocol.Report(lmc.Frame, findServerError),
}

func findServerError(_ *lint.Pass, r *lmc.Record) lint.Finding {
	if r.Type != "error" || r.Invalid&(lmc.InvalidType|lmc.InvalidContent) != 0 {
		return lint.Finding{}
	}
	const longest = 160 // code points of the last line that is not blank
	text := strings.TrimSpace(r.Text())
	line := []rune(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]))
	if len(line) > longest {
		line = append(line[:longest], '…')
	}
	return lint.Finding{
		Place:   r.PlaceOf("content"),
		Message: "server error: " + strconv.Quote(string(line)),
		Help:    "read the traceback in the content, from its last line",
	}
}
