package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var unexpectedFormat = &lint.Rule{
	ID: "LMC107", Name: "unexpected-format", Since: "0.1",
	Summary: "A record has a format, but its type takes none",
	Rationale: "The pair of type and format is invalid. Most consumers ignore such a format. If only some chunks of a " +
		"message have it, Open Interpreter stores the message in two parts, and the last server of OpenInterpreter/01, which compares the whole end flag, never " +
		"sends the end of the audio to its device.",
	Evidence: []string{
		"documentation, lmc-messages: message takes no format",
		"recordings: none of 3,769 chunks of messages has a format",
	},
	Requirements: []string{"LMC-REC-4"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
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
	New: protocol.ReportViolations(reportUnexpectedFormat),
}

func reportUnexpectedFormat(p *lint.Pass, v *protocol.Violation) lint.Finding {
	kind, format := protocol.WithArticle(v.Type), v.Record.Format
	if v.Type == "" {
		kind = "a flag without a type"
	}
	f := lint.Finding{Place: v.Place(), Message: fmt.Sprintf("unexpected format %s on %s", v.Shown(), kind), Help: `remove "format"`}
	if protocol.StateOf(p).Dialect.IsFlag(format) && !v.Record.Flag() && v.Record.Content == nil {
		f.Help = fmt.Sprintf(`%s is a flag, not a format: write %q: true instead of "format"`, format, format)
	} else if known := dialectOfFormat(protocol.StateOf(p), v); known != "" {
		f.Help = known
	}
	return f
}
