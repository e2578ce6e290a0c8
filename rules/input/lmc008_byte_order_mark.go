package input

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var byteOrderMark = &lint.Rule{
	ID: "LMC008", Name: "byte-order-mark", Since: "0.1",
	Summary: "The input begins with a byte order mark",
	Rationale: "The mark has no meaning in UTF-8, and JSON must not start with it. Python's json.load refuses such a file. " +
		"Some editors on Windows write it.",
	Evidence: []string{"RFC 8259, section 8.1"},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "a file saved with a byte order mark",
		Input: "\ufeff" + `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
		Want: []string{"LMC008 1:1"},
	}},
	Good: []lint.Example{{
		Name: "the file starts with its first record",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
	}},
	New: protocol.ReportProblems(source.ByteOrderMark, func(_ *protocol.Problem) (message, help string) {
		return "the input starts with a byte order mark (U+FEFF)", "save the file as UTF-8 without a byte order mark"
	}),
}
