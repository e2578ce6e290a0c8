package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var exportRecord = &lint.Rule{
	ID: "WB301", Name: "export-record", Since: "0.1",
	Summary: "A line of an export is not as an import reads it",
	Rationale: "An import looks up the table that a line names, and makes a row of its data. A table that it does not know is passed over or " +
		"raises an exception. The names of columns are not those of the service's answers: an export has message_id, created_datetime and " +
		"meta_data for id, timestamp and metadata.",
	Evidence: []string{
		"semanticworkbench, export_import.py: the tables of an export",
		"semanticworkbench, db.py: the columns of ConversationMessage",
	},
	Severity: lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an unknown table",
		Make: func() string { return exportedThread() + exported("Message", `{"id": 1}`) },
		Want: []string{"WB301 2:10"},
	}, {
		Name: "a name of the service's answers",
		Make: func() string {
			return exportedThread() + altered(exportedSaid(1, "user", "Hello!"), "meta_data", "metadata")
		},
		Want: []string{"WB301 2:428"},
	}},
	Good: []lint.Example{{Name: "names of the database", Make: func() string { return exportedThread() + exportedSaid(1, "user", "Hello!") }}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
			f := lint.Finding{Place: b.Place(), Message: "unknown table " + b.Found, Help: tableHelp(b.Node)}
			switch {
			case b.Found == "":
				f.Message, f.Help = "the line lacks "+protocol.Quoted(b.Key), `each line is {"type": …, "data": …}`
			case b.Type == "data" || b.Node.Kind != source.String:
				f.Message, f.Help = protocol.Quoted(b.Type)+" is "+protocol.ValueText(b.Node)+", expected an object", `each line is {"type": …, "data": …}`
			}
			p.Report(f)
		}), protocol.OnWorkbench(workbench.Seen, func(e *workbench.Event) {
			if e.Record.Table() == "ConversationMessage" && e.Record.Data != nil {
				restNames(p, e.Record)
			}
		})}
	},
}

func tableHelp(n *source.Node) string {
	if nearest, ok := spelling.Nearest(n.Text(), workbench.Tables()); ok {
		return protocol.DidYouMean(nearest)
	}
	return "the tables are " + protocol.AnyOf(workbench.Tables())
}

// restNames tells of the first key that an answer of the service would have.
func restNames(p *lint.Pass, r *workbench.Record) {
	for i := range r.Data.Children {
		n := &r.Data.Children[i]
		at := slices.IndexFunc(protocol.RestName, func(pair [2]string) bool { return pair[0] == n.Name && r.Data.Member(pair[1]) == nil })
		if at >= 0 {
			p.Report(lint.Finding{
				Place: r.Source.PlaceOfKey(n), Message: protocol.Quoted(n.Name) + " is a key of the service's answers, expected " + protocol.Quoted(protocol.RestName[at][1]),
				Help: "an import reads the columns of the database: message_id, created_datetime, sender_participant_id, meta_data",
			})
			return
		}
	}
}
