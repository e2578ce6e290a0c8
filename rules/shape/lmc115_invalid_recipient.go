package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var invalidRecipient = &lint.Rule{
	ID: "LMC115", Name: "invalid-recipient",
	Summary: "A recipient is neither user nor assistant",
	Rationale: "The recipient decides whether the user sees the content or the model gets it; without one, both do. With " +
		"any other value, null as well, Open Interpreter neither shows it in its terminal nor sends it to the model.",
	Evidence: []string{
		"recordings: 110 chunks and 108 messages have a recipient, user or assistant",
		"recipient_utils.py, parse_for_recipient(): the computer's output may name one, and nothing checks it",
	},
	Requirements: []string{"LMC-REC-10"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "a misspelled recipient",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "Hello!", "recipient": "User"}]
`,
		Want: []string{"LMC115 2:77"},
	}, {
		Name:  "a recipient on a flag",
		Input: example.Altered(helloStream, `"end": true`, `"end": true, "recipient": "computer"`),
		Want:  []string{"LMC115 3:68"},
	}, {
		Name: "a role that is not a recipient",
		Input: `[{"role": "user", "type": "message", "content": "Draw a plot"},
 {"role": "assistant", "type": "code", "format": "python", "content": "plot()"},
 {"role": "computer", "type": "console", "format": "output", "content": "done", "recipient": "computer"}]
`,
		Edits: []string{`"done", "recipient": "computer"`, `"done"`},
		Want:  []string{"LMC115 3:94"},
	}},
	Good: []lint.Example{{
		Name: "output for the model alone",
		Input: `[{"role": "user", "type": "message", "content": "Draw a plot"},
 {"role": "assistant", "type": "code", "format": "python", "content": "plot()"},
 {"role": "computer", "type": "console", "format": "output", "content": "done", "recipient": "assistant"}]
`,
	}},
	New: protocol.ReportViolations(reportInvalidRecipient),
}

func reportInvalidRecipient(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	f := lint.Finding{
		Place:   v.Place(),
		Message: fmt.Sprintf("recipient is %s, expected user or assistant", protocol.ValueText(v.Node)),
		Help:    "write user or assistant, or remove the key to send the content to both",
	}
	switch nearest := v.Suggest().Nearest; {
	case v.Record.Flag() && v.Record.Content == nil:
		f.Help, f.Fix = "remove the key; a flag has no recipient", offer.RemoveKey(v.Record.Source, v.Node)
	case nearest != "":
		f.Help, f.Fix = protocol.DidYouMean(nearest), offer.Guess(v.Record.Source, v.Node, nearest)
	case lmc.IsUnset(v.Node):
		f.Help, f.Fix = "remove the key to send the content to both", offer.RemoveKey(v.Record.Source, v.Node)
	}
	return f
}
