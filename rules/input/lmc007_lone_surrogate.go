package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var loneSurrogate = &lint.Rule{
	ID: "LMC007", Name: "lone-surrogate",
	Summary: "A string contains a lone surrogate",
	Rationale: "An escape such as \\ud83c is half of a character. Open Interpreter's terminal raises UnicodeEncodeError when it prints it, which aborts the " +
		"response, also if the other half comes in the next chunk; Go and other languages replace it, and the character is lost.",
	Evidence: []string{
		"RFC 8259, section 8.2",
		"recordings msg_surrogate, unicode_surrogate",
	},
	Requirements: []string{"LMC-INP-6"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an emoji split in two",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c"}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`\ud83c"`, `\ud83c\udf89"`},
		Want:  []string{"LMC007 2:64"},
	}},
	Good: []lint.Example{{
		Name: "a complete pair, or the character itself",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c\udf89"}
{"role": "assistant", "type": "message", "content": " 🎉"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: protocol.ReportProblems(source.LoneSurrogate, describeLoneSurrogate),
}

func describeLoneSurrogate(e *protocol.Problem) (message, help string) {
	return e.Detail, "buffer the first half of the pair until the second arrives, and encode them together"
}
