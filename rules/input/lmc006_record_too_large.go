package input

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

var recordTooLarge = &lint.Rule{
	ID: "LMC006", Name: "record-too-large",
	Summary: "A record exceeds a size limit, or a compressed input expands too much",
	Rationale: "A record is checked as a whole, so it must fit into memory. The limit keeps one broken record, such as a " +
		"file without line feeds, from using all of it. The record is skipped; later records are checked. Compressed data " +
		"that expands to more than 500 times its size and over 1 GiB is treated as an attack: reading stops there.",
	Evidence: []string{
		"the limit is 256 MiB; the largest recorded records, images in base64, are smaller than 1 MiB",
	},
	Requirements: []string{"LMC-INP-10"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "a limit of 80 bytes",
		Input: `{"role": "user", "type": "message", "content": "Say hello a few times"}
{"role": "assistant", "type": "message", "content": "Hello, hello, hello, hello, hello, hello!"}
{"role": "user", "type": "message", "content": "Thank you"}
`,
		Config: lint.Config{MaxRecordBytes: 80},
		Want:   []string{"LMC006 2:1"},
	}},
	Good: []lint.Example{{
		Name: "records below the limit",
		Input: `{"role": "user", "type": "message", "content": "Say hello"}
{"role": "assistant", "type": "message", "content": "Hello!"}
`,
	}},
	New: newRecordTooLarge,
}

func newRecordTooLarge(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.RecordTooLarge, func(e *protocol.Problem) {
		help := "raise the limit with --max-record-bytes"
		if e.Cause == value.TooManyValues {
			help = "check that this is the right file; no record of the protocol has more than a dozen values"
		}
		p.Report(lint.Finding{Place: e.Place, Message: e.Detail + "; the record was skipped", Help: help})
	}), protocol.OnProblem(source.ExpansionTooLarge, func(e *protocol.Problem) {
		p.Report(lint.Finding{
			Place: e.Place, Message: e.Detail + "; reading stopped here",
			Help: "decompress the file and check the result; recordings expand 10 to 50 times",
		})
	})}
}
