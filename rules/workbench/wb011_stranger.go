package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var stranger = &lint.Rule{
	ID: "WB011", Name: "stranger",
	Summary: "A record is not a Semantic Workbench record",
	Rationale: "The first records of the input are Semantic Workbench records, and this one is not: a consumer of the " +
		"input fails here or skips it. Usually two recordings were joined, or a program writes its own lines into the " +
		"same file.",
	Evidence: []string{
		modelOf + "the structures that the service sends and accepts",
		"an LMC message has a role and a type, and no workbench message has them",
	},
	Requirements: []string{"WB-MSG-11"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an LMC message among messages of the workbench",
		Make: func() string {
			return hello() + `{"role": "assistant", "type": "message", "content": "Hi!"}` + "\n" + said(2, "assistant", "chat", "Hi!", "{}")
		},
		Edits: []string{`{"role": "assistant", "type": "message", "content": "Hi!"}
`, ""},
		Want: []string{"WB011 2:1"},
	}},
	Good: []lint.Example{{Name: "only messages of the workbench", Make: func() string { return hello() + said(2, "assistant", "chat", "Hi!", "{}") }}},
	New:  newStranger,
}

func newStranger(p *lint.Pass) []lint.Hook {
	return []lint.Hook{{On: protocol.UnknownRecordEvent, Do: func(event any) {
		src := event.(*source.Record)
		f := lint.Finding{
			Place: src.Place(), Message: "not a Semantic Workbench record",
			Help: "store records of different programs in different files",
		}
		switch has := func(key string) bool { return src.Root.Member(key) != nil }; {
		case has("role") && has("type"):
			f.Message += ": it looks like an LMC record"
			f.Help += "; if all are LMC records, pass --protocol lmc"
		case has("role") && has("message_type"):
			f.Message += ": it has a role, as LMC records have, instead of a sender"
		default:
			if shape := protocol.ForeignShape(src.Root); shape != "" {
				f.Message += ": it looks like " + shape
			}
		}
		p.Report(f)
	}}}
}
