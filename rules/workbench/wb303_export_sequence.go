package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var exportSequence = &lint.Rule{
	ID: "WB303", Name: "export-sequence", Since: "0.1",
	Summary: "The sequence of an export's messages does not rise",
	Rationale: "The sequence is the order of the conversation. An export writes messages in that order, and an import numbers them anew as " +
		"they come, so that messages which stand in another order stay in it. Gaps are normal: the counter is that of the whole database.",
	Evidence: []string{"semanticworkbench, export_import.py: messages are exported in the order of their sequence"},
	Severity: lint.SeverityWarning, Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "two messages that changed places",
		Make: func() string {
			return exportedThread() + exportedSaid(2, "assistant", "Hi!") + exportedSaid(1, "user", "Hello!")
		},
		Want: []string{"WB303 3:54"},
	}},
	Good: []lint.Example{{Name: "rising, with a gap", Make: func() string {
		return exportedThread() + exportedSaid(1, "user", "Hello!") + exportedSaid(7, "assistant", "Hi!")
	}}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.SequenceNotIncreasing, func(e *workbench.Event) {
			n := e.Record.Data.Member("sequence")
			p.Report(lint.Finding{
				Place: e.Record.Source.PlaceOf(n), Message: "the sequence " + protocol.ValueText(n) + " does not rise above " + e.Before + " of the message before",
				Help: "write the messages of a conversation in the order of their sequence",
			})
		}))
	},
}
