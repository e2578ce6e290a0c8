package input

import (
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var byteOrderMark = &lint.Rule{
	ID: "LMC008", Name: "byte-order-mark",
	Summary: "The input begins with a byte order mark",
	Rationale: "The mark has no meaning in UTF-8, and JSON must not start with it. Python's json.load refuses such a file. " +
		"Some editors on Windows write it.",
	Evidence:     []string{"RFC 8259, section 8.1"},
	Requirements: []string{"LMC-INP-9"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput,
	Fixes:    lint.SafeFixes,
	OneCause: true,
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
	New: newByteOrderMark,
}

func newByteOrderMark(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.ByteOrderMark, func(e *protocol.Problem) {
		p.Report(lint.Finding{
			Place:   e.Place,
			Message: "the input starts with a byte order mark (U+FEFF)",
			Help:    "save the file as UTF-8 without a byte order mark",
			Fix:     fix.Safe("remove the byte order mark", fix.ReplaceText(e.Record, 0, len(e.Record.Data), "")),
		})
	})}
}
