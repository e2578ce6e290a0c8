package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidRecipient = &lint.Rule{
	ID: "LMC115", Name: "invalid-recipient", Since: "0.1",
	Summary: "A recipient is neither user nor assistant",
	Rationale: "The recipient decides whether the user sees the content, the model gets it, or both if there is none. With any other " +
		"value, consumers that compare it hide the content from both.",
	Evidence: []string{
		"recordings: 110 chunks and 108 messages have a recipient, user or assistant",
		"source, recipient_utils.py: the computer's output may name one, and nothing checks it",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a role that receives nothing",
		Input: `[{"role": "user", "type": "message", "content": "Draw a plot"},
 {"role": "assistant", "type": "code", "format": "python", "content": "plot()"},
 {"role": "computer", "type": "console", "format": "output", "content": "done", "recipient": "computer"}]
`,
		Want: []string{"LMC115 3:94"},
	}},
	Good: []lint.Example{{
		Name: "output for the model only",
		Input: `[{"role": "user", "type": "message", "content": "Draw a plot"},
 {"role": "assistant", "type": "code", "format": "python", "content": "plot()"},
 {"role": "computer", "type": "console", "format": "output", "content": "done", "recipient": "assistant"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: fmt.Sprintf("recipient is %s, expected user or assistant", v.Shown()),
				Help:    recipientHelp(v),
			})
		}))
	},
}

func recipientHelp(v *protocol.Violation) string {
	switch {
	case v.Record.Flag() && v.Record.Content == nil:
		return "a flag has no recipient: leave the key out"
	case v.Nearest != "":
		return protocol.DidYouMean(v.Nearest)
	case v.Node.Kind == source.Null:
		return "leave the key out: without a recipient, content is for both"
	}
	return "write user or assistant, or leave the key out if it is for both"
}
