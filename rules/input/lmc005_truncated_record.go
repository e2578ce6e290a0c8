package input

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

var truncatedRecord = &lint.Rule{
	ID: "LMC005", Name: "truncated-record", Since: "0.1",
	Summary: "The input ends inside a record",
	Rationale: "The rest of this record and everything after it are lost: the writer was killed, the disk was full, or a " +
		"copy was interrupted. A truncated conversation file cannot be loaded at all.",
	Evidence: []string{
		"RFC 8259",
		"recordings: Open Interpreter rewrites the conversation file after each answer, so a crash can truncate it",
	},
	Requirements: []string{"LMC-INP-2"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput,
	Bad: []lint.Example{{
		Name: "the last record is truncated",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "cont`,
		Want: []string{"LMC005 2:47"},
	}},
	Good: []lint.Example{{
		Name: "a last record without a line feed is complete",
		Input: `{"role": "user", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "content": "Hello!"}`,
	}},
	New: protocol.ReportProblems(source.TruncatedRecord, func(e *protocol.Problem) (message, help string) {
		if e.Related != nil {
			return e.Detail, "close the string on line " + strconv.Itoa(e.Related.Span.Start.Line) + ", column " + strconv.Itoa(e.Related.Span.Start.Column) + ", with its quote"
		}
		if e.Cause == value.UnclosedList {
			return e.Detail, "add the missing `]`; if messages are missing, too, record or copy the conversation again"
		}
		return e.Detail, "record or copy the conversation again, or remove the truncated record"
	}),
}
