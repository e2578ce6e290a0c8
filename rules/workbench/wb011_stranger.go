package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var stranger = &lint.Rule{
	ID: "WB011", Name: "stranger", Since: "0.1",
	Summary: "A record among those of the workbench is of another kind",
	Rationale: "The input is Semantic Workbench's by its first records, and this one is none of them, so that whoever reads the input fails " +
		"here or passes over it. Mostly two recordings were joined, or a program writes its own lines into the same file.",
	Evidence: []string{
		modelOf + "the shapes that the service sends and takes",
		"an LMC message has a role and a type, which no message of the workbench has",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an LMC message among messages of the workbench",
		Make: func() string {
			return hello() + `{"role": "assistant", "type": "message", "content": "Hi!"}` + "\n" + said(2, "assistant", "chat", "Hi!", "{}")
		},
		Want: []string{"WB011 2:1"},
	}},
	Good: []lint.Example{{Name: "messages of the workbench alone", Make: func() string { return hello() + said(2, "assistant", "chat", "Hi!", "{}") }}},
	New: func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{{On: protocol.UnknownRecordEvent, Do: func(event any) {
			src := event.(*source.Record)
			p.Report(lint.Finding{
				Place:   src.Place(),
				Message: "the record is none of Semantic Workbench's" + strangerLooks(src.Root),
				Help:    "keep records of different programs in different files; pass --protocol if all of them are of another protocol",
			})
		}}}
	},
}

// strangerLooks says what a stranger looks like.
func strangerLooks(root *source.Node) string {
	if root.Member("role") != nil && root.Member("type") != nil {
		return ": it looks like an LMC record"
	}
	if shape := protocol.ForeignShape(root); shape != "" {
		return ": it looks like " + shape
	}
	return ""
}
