package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var exportRecord = &lint.Rule{
	ID: "WB301", Name: "export-record",
	Summary: "An export line does not have the structure that imports require",
	Rationale: "An import inserts the data of each line into the table that the line names. It skips an unknown table or " +
		"raises an exception. Column names differ from the keys of the service: an export has message_id, " +
		"created_datetime and meta_data instead of id, timestamp and metadata.",
	Evidence: []string{
		"semanticworkbench, controller/export_import.py, export_file(): the tables of an export",
		"semanticworkbench, db.py, ConversationMessage: the columns of ConversationMessage",
	},
	Requirements: []string{"WB-EXP-1"},
	Severity:     lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an unknown table",
		Make: func() string { return exportedThread() + exported("Message", `{"id": 1}`) },
		Want: []string{"WB301 2:10"},
	}, {
		Name: "a key of the service",
		Make: func() string {
			return exportedThread() + example.Altered(exportedSaid(1, "user", "Hello!"), "meta_data", "metadata")
		},
		Want: []string{"WB301 2:428"},
	}, {
		Name: "an empty line",
		Make: func() string { return exportedThread() + "\n" + exportedSaid(1, "user", "Hello!") },
		Want: []string{"WB301 3:1"},
	}},
	Good: []lint.Example{{Name: "column names", Make: func() string { return exportedThread() + exportedSaid(1, "user", "Hello!") }}},
	New:  newExportRecord,
}

func newExportRecord(p *lint.Pass) []lint.Hook {
	const line = `write each line as {"type": …, "data": …}`
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		f := lint.Finding{Place: b.Place(), Message: "unknown table " + b.Found(), Help: expected(b.Node.Text(), workbench.Tables())}
		switch {
		case b.Found() == "":
			f.Message, f.Help = "line has no "+protocol.Quoted(b.Key), line
		case b.Type == "data" || b.Node.Kind != source.String:
			f.Message, f.Help = protocol.Quoted(b.Type)+" is "+protocol.ValueText(b.Node)+", expected an object", line
			f.Cause = b.Type
		}
		p.Report(f)
	}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
		r := e.Record
		if r.Table() != "" && r.Source.AfterBlankLine {
			p.Report(lint.Finding{
				Place: r.Source.Place(), Message: "the line above is empty",
				Help: "delete empty lines; an import reads each line as JSON and raises an exception",
			})
		}
		if r.Table() != "ConversationMessage" || r.Data == nil {
			return
		}
		for i := range r.Data.Children { // the first key of the service that is used instead of a column
			n := &r.Data.Children[i]
			at := slices.IndexFunc(protocol.ServiceKeys, func(pair [2]string) bool { return pair[0] == n.Name && r.Data.Member(pair[1]) == nil })
			if at >= 0 {
				p.Report(lint.Finding{
					Place: r.Source.PlaceOfKey(n), Message: protocol.Quoted(n.Name) + " is a key of the service, expected " + protocol.Quoted(protocol.ServiceKeys[at][1]),
					Help: "write the column names: message_id, created_datetime, sender_participant_id, meta_data",
				})
				return
			}
		}
	})}
}
