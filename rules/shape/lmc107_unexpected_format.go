package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unexpectedFormat = &lint.Rule{
	ID: "LMC107", Name: "unexpected-format", Since: "0.1",
	Summary: "A record of a type without formats has one",
	Rationale: "Consumers join records by role, type and format. A format where the others have none begins a new message, and a " +
		"start with a format is not closed by an end without.",
	Evidence: []string{
		"documents, lmc-messages: message takes no format",
		"recordings: none of 3,769 chunks of messages has a format",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message in Markdown",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "format": "markdown", "content": "**Hello!**"}]
`,
		Want: []string{"LMC107 2:43"},
	}},
	Good: []lint.Example{{
		Name: "a message is text, Markdown or not",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": "**Hello!**"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			kind := v.Type
			if kind == "" {
				kind = "a flag without type"
			}
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: fmt.Sprintf("%s takes no format, found %s", kind, v.Shown()),
				Help:    unexpectedFormatHelp(v),
			})
		}))
	},
}

func unexpectedFormatHelp(v *protocol.Violation) string {
	known := protocol.OtherDialectHelp(func(d *schema.Dialect) bool {
		t, ok := d.Type(v.Type)
		if ok {
			_, ok = t.Format(v.Record.Format)
		}
		return ok
	})
	if known != "" {
		return known
	}
	return `leave "format" out`
}
