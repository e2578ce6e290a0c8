package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var exportSequence = &lint.Rule{
	ID: "WB303", Name: "export-sequence",
	Summary: "Sequence numbers of exported messages do not increase",
	Rationale: "The sequence number is the order of the conversation. An export writes messages in that order, and an " +
		"import renumbers them in file order, so that messages in another order stay in it. Gaps are normal: the counter " +
		"belongs to the whole database.",
	Evidence:     []string{"semanticworkbench, controller/export_import.py, export_file(): messages are exported in the order of their sequence"},
	Requirements: []string{"WB-EXP-3"},
	Severity:     lint.SeverityWarning, Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "two swapped messages",
		Make: func() string {
			return exportedThread() + exportedSaid(2, "assistant", "Hi!") + exportedSaid(1, "user", "Hello!")
		},
		Want: []string{"WB303 3:54"},
	}},
	Good: []lint.Example{{Name: "increasing, with a gap", Make: func() string {
		return exportedThread() + exportedSaid(1, "user", "Hello!") + exportedSaid(7, "assistant", "Hi!")
	}}},
	New: protocol.ReportWorkbench(workbench.SequenceNotIncreasing, reportExportSequence),
}

func reportExportSequence(e *workbench.Event) lint.Finding {
	n := e.Record.Data.Member("sequence")
	return lint.Finding{
		Place: e.Record.Source.PlaceOf(n), Message: "sequence " + protocol.ValueText(n) + " is not greater than " + e.Before + " of the preceding message",
		Help: "write the messages of a conversation in the order of their sequence numbers",
	}
}
