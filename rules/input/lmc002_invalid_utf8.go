package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidUTF8 = &lint.Rule{
	ID: "LMC002", Name: "invalid-utf8",
	Summary: "A record contains invalid UTF-8",
	Rationale: "JSON that programs exchange is always UTF-8. Some consumers refuse the file, others replace the invalid " +
		"text, and offsets into the text no longer match.",
	Evidence: []string{
		"RFC 8259, section 8.1",
		"Open Interpreter writes conversations in ASCII with escapes; other bytes come from programs that rewrote them",
	},
	Requirements: []string{"LMC-INP-3"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an é in Latin-1",
		Input: "{\"role\": \"user\", \"type\": \"message\", \"content\": \"Where is a caf\xe9?\"}\n" +
			"{\"role\": \"assistant\", \"type\": \"message\", \"content\": \"At the corner.\"}\n",
		Want: []string{"LMC002 1:63"},
	}},
	Good: []lint.Example{{
		Name: "UTF-8 or an escape",
		Input: `{"role": "user", "type": "message", "content": "Where is a café?"}
{"role": "assistant", "type": "message", "content": "The caf\u00e9 is at the corner."}
`,
	}},
	New: protocol.ReportProblems(source.InvalidUTF8, describeInvalidUTF8),
}

func describeInvalidUTF8(e *protocol.Problem) (message, help string) {
	return e.Detail, `write the file as UTF-8: open(path, "w", encoding="utf-8") in Python, or convert it with iconv -t UTF-8`
}
