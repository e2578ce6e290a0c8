package shape

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var recipientOnFlag = &lint.Rule{
	ID: "LMC121", Name: "recipient-on-flag",
	Summary: "A start or end flag has a recipient",
	Rationale: "Open Interpreter's terminal obeys a recipient on a flag: it skips a start for the assistant and raises an " +
		"AttributeError at the content. The server stores the whole message with the recipient of its start, so that a user's message for the user never reaches the model. " +
		"OpenInterpreter/01 raises KeyError 'recipient' at the content.",
	Evidence: []string{
		"recordings: none of 4,831 flags has a recipient; 110 content chunks have one",
		"documentation, guide to interfaces: its example reads the recipient from the start flag, where Open Interpreter never writes it",
	},
	Requirements: []string{"LMC-REC-11"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.SafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "a recipient on the start flag",
		Input: example.Altered(helloStream, `"start": true`, `"start": true, "recipient": "user"`),
		Want:  []string{"LMC121 1:70"},
	}},
	Good: []lint.Example{{
		Name:  "a recipient on the content",
		Input: example.Altered(helloStream, `"Hello!"`, `"Hello!", "recipient": "user"`),
	}},
	New: protocol.Report(lmc.Shape, findRecipientOnFlag),
}

func findRecipientOnFlag(p *lint.Pass, r *lmc.Record) lint.Finding {
	if !r.Flag() || r.Content != nil || !protocol.StateOf(p).Dialect.Recipient {
		return lint.Finding{}
	}
	if n := r.Key("recipient"); n != nil && slices.Contains([]string{"user", "assistant"}, n.Text()) { // LMC115 reports others
		return lint.Finding{
			Place:   r.PlaceOf("recipient"),
			Message: "unexpected recipient on a flag",
			Help:    "move \"recipient\" to each content chunk of the block",
			Fix:     offer.RemoveKey(r.Source, n),
		}
	}
	return lint.Finding{}
}
