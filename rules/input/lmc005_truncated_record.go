package input

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

var truncatedRecord = &lint.Rule{
	ID: "LMC005", Name: "truncated-record",
	Summary: "The input ends inside a record",
	Rationale: "The rest of this record and everything after it are lost: the writer was killed, the disk was full, or a " +
		"copy was interrupted. A truncated conversation file cannot be loaded at all.",
	Evidence: []string{
		"RFC 8259",
		"recordings: Open Interpreter rewrites the conversation file after each answer, so a crash can truncate it",
	},
	Requirements: []string{"LMC-INP-2"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the last record is truncated",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "cont`,
		Want: []string{"LMC005 2:47"},
	}, {
		Name: "a transcript of which the end is missing",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
{"role": "assistant", "type": "message", "content": "Hel`,
		Want: []string{"LMC005 2:57"},
	}},
	Good: []lint.Example{{
		Name: "a last record without a line feed is complete",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": "Hello!"}`,
	}},
	New: newTruncatedRecord,
}

func newTruncatedRecord(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnProblem(source.TruncatedRecord, func(e *protocol.Problem) {
		f := lint.Finding{Place: e.Place, Message: e.Detail, Help: "record or copy the conversation again, or remove the truncated record"}
		if e.Related != nil {
			f.Help = fmt.Sprintf("close the string on line %d, column %d, with its quote", e.Related.Span.Start.Line, e.Related.Span.Start.Column)
		} else if e.Cause == value.UnclosedList {
			f.Help = "add the missing `]`; if messages are missing, too, record or copy the conversation again"
		}
		change := "remove the truncated record"
		if e.Record.IsGap {
			change = "close the array"
		}
		f.Fix = fix.Unsafe(change, fix.CloseInput(e.Record))
		p.Report(f)
	})}
}
