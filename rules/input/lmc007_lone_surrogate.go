package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var loneSurrogate = &lint.Rule{
	ID: "LMC007", Name: "lone-surrogate", Since: "0.1",
	Summary: "A string contains a lone surrogate",
	Rationale: "An escape such as \\ud83c is half of a character. Python reads it and fails when it prints or stores the " +
		"text as UTF-8; Go and others replace it, and the character is lost. Some producers send one half in one chunk " +
		"and the other half in the next.",
	Evidence: []string{
		"RFC 8259, section 8.2",
		"recordings msg_surrogate, unicode_surrogate",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "an emoji split in two",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC007 2:64"},
	}},
	Good: []lint.Example{{
		Name: "a complete pair, or the character itself",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c\udf89"}
{"role": "assistant", "type": "message", "content": " 🎉"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: protocol.ReportProblems(source.LoneSurrogate, func(e *protocol.Problem) (message, help string) {
		return e.Detail, "buffer the first half of the pair until the second arrives, and encode them together"
	}),
}
