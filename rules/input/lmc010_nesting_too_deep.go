package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var nestingTooDeep = &lint.Rule{
	ID: "LMC010", Name: "nesting-too-deep",
	Summary: "Arrays or objects are nested too deeply",
	Rationale: "No message of the protocol is nested more than two levels deep. Hundreds of levels are a mistake or an " +
		"attack: recursive parsers run out of stack. The record is skipped; later records are checked.",
	Evidence: []string{
		"RFC 8259, section 9: an implementation may limit the depth of nesting",
		"recordings: the deepest record is a confirmation, with two levels",
	},
	Requirements: []string{"LMC-INP-10"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a limit of four levels",
		Input: `{"role": "user", "type": "message", "content": [[[["Hi"]]]]}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Edits:  []string{`[[[["Hi"]]]]`, `"Hi"`},
		Config: lint.Config{MaxDepth: 4},
		Want:   []string{"LMC010 1:51"},
	}},
	Good: []lint.Example{{
		Name: "a confirmation has two levels",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}},
	New: protocol.ReportProblems(source.NestingTooDeep, describeNestingTooDeep),
}

func describeNestingTooDeep(e *protocol.Problem) (message, help string) {
	return e.Detail + "; the record was skipped", "send text as a string; no record of the protocol is nested more than two levels deep"
}
