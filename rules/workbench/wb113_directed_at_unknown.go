package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var directedAtUnknown = &lint.Rule{
	ID: "WB113", Name: "directed-at-unknown",
	Summary: "directed_at names an id that is not a participant",
	Rationale: "No assistant responds. After an import the ids in metadata are those of the old conversation, because the " +
		"import maps only the ids of senders. Checked only in inputs that list the participants.",
	Evidence:     []string{"semanticworkbench, controller/export_import.py, import_files(): maps sender ids, but not ids in metadata"},
	Requirements: []string{"WB-CON-9"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "an id of another conversation",
		Make: func() string {
			return announced(1, "participant.created", takingPart()) +
				announced(2, "message.created", bringing(said(2, "user", "command", "/help", `{"directed_at": "`+exampleOther+`"}`))) +
				announced(3, "message.created", bringing(said(3, "user", "chat", "Is anyone there?", `{}`)))
		},
		Want: []string{"WB107 2:210", "WB113 2:551"},
	}},
	Good: []lint.Example{{
		Name: "an id of one who takes part",
		Make: func() string {
			return announced(1, "participant.created", takingPart()) +
				announced(2, "message.created", bringing(said(2, "user", "command", "/help", `{"directed_at": "`+exampleHelper+`"}`)))
		},
	}},
	New: protocol.ReportWorkbench(workbench.UnknownTarget, reportDirectedAtUnknown),
}

func reportDirectedAtUnknown(e *workbench.Event) lint.Finding {
	return lint.Finding{
		Place: e.Place, Message: "directed_at names " + protocol.Quoted(e.Name) + ", which is not a participant",
		Help: "write the id of a participant; an import does not update ids in metadata",
	}
}
