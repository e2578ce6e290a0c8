package shape

import (
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
)

var legacyConfirmation = &lint.Rule{
	ID: "LMC114", Name: "legacy-confirmation",
	Summary: "A confirmation uses the keys language and code instead of format and content",
	Rationale: "No release of Open Interpreter sends these keys. Its terminal raises KeyError 'format' at the confirmation, before " +
		"it asks the user. The documentation shows both forms: the dialect docs accepts both, and without a named dialect the keys are one warning.",
	Evidence: []string{
		"documentation, streaming-response: one of its two examples",
		"recordings: none of 518 confirmations has it",
	},
	Requirements: []string{"LMC-VOC-7"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{protocol.UnderAuto}, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "the other example of the documentation",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "language": "python", "code": "34 / 24"}}
`,
		Want: []string{"LMC114 4:80"},
	}},
	Good: []lint.Example{{
		Name: "as Open Interpreter sends it",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}, {
		Name:   "the same in the dialect docs",
		Config: lint.Config{Dialect: "docs"},
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "language": "python", "code": "34 / 24"}}
`,
	}},
	New: newLegacyConfirmation,
}

func newLegacyConfirmation(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) lint.Finding {
		r, content := v.Record.Source, v.Record.Content
		f := lint.Finding{
			Place:   v.Place(),
			Message: "the confirmed code uses the keys language and code, expected format and content",
			Help:    "send " + confirmationContent(protocol.StateOf(p).Dialect, v.Record),
		}
		language := offer.RenameKey(r, content, content.Member("language"), "format")
		code := offer.RenameKey(r, content, content.Member("code"), "content")
		if language != nil && code != nil { // it may have the new ones, too
			f.Fix = fix.Safe(`rename "language" to "format" and "code" to "content"`, append(language.Edits, code.Edits...))
		}
		return protocol.Documented(p, f, "the confirmed code uses the keys language and code, as the documentation shows; releases since 0.1.17 raise KeyError")
	})}
}
