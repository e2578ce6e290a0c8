package shape

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var legacyConfirmation = &lint.Rule{
	ID: "LMC114", Name: "legacy-confirmation", Since: "0.1",
	Summary: "A confirmation holds its code under language and code, as one example of the documents has it",
	Rationale: "No release of Open Interpreter sends this shape, so consumers written against the real one find neither format nor " +
		"content in it. The documents show both, and the dialect docs accepts both.",
	Evidence: []string{
		"documents, streaming-response: one of its two examples",
		"recordings: none of 518 confirmations has it",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the documents' other example",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "language": "python", "code": "34 / 24"}}
`,
		Want: []string{"LMC114 4:80"},
	}},
	Good: []lint.Example{{
		Name: "as Open Interpreter sends it",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}, {
		Name:    "the documents to the letter",
		Dialect: "docs",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "language": "python", "code": "34 / 24"}}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: "the confirmed code stands under language and code, expected format and content",
				Help:    "send " + confirmationContent(v.Record) + "; the dialect docs accepts both shapes",
			})
		}))
	},
}
