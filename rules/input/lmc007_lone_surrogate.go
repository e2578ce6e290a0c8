package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var loneSurrogate = &lint.Rule{
	ID: "LMC007", Name: "lone-surrogate", Since: "0.1",
	Summary: "A string holds half of a surrogate pair",
	Rationale: "An escape such as \\ud83c is half of a character. Python reads it and fails when it prints or stores the text as " +
		"UTF-8; Go and others replace it, and the character is lost. One half may come in one chunk and the other in the next.",
	Evidence: []string{
		"RFC 8259, section 8.2",
		"recordings msg_surrogate, unicode_surrogate",
	},
	Severity: lint.SeverityWarning, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "an emoji that was cut in two",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC007 2:64"},
	}},
	Good: []lint.Example{{
		Name: "a whole pair, or the character itself",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Well done \ud83c\udf89"}
{"role": "assistant", "type": "message", "content": " 🎉"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnProblem(source.LoneSurrogate, func(e *protocol.Problem) {
			p.Report(lint.Finding{
				Place:   e.Place,
				Message: e.Detail,
				Help:    "send the character whole: hold the first half back until the second has come, and join them before encoding",
			})
		}))
	},
}
