package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var directedAtUnknown = &lint.Rule{
	ID: "WB113", Name: "directed-at-unknown", Since: "0.1",
	Summary: "A message is directed at somebody who does not take part",
	Rationale: "Nobody answers. After an import the ids in metadata are those of the old conversation, because the import changes the ids " +
		"of senders only. The rule needs an input that says who takes part.",
	Evidence: []string{"semanticworkbench, controller/assistant.py: an import maps sender ids, and no ids inside metadata"},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
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
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbench(workbench.UnknownTarget, func(e *workbench.Event) {
			p.Report(lint.Finding{
				Place: e.Place, Message: "directed_at is " + protocol.Quoted(e.Name) + ", who does not take part",
				Help: "name somebody who takes part; ids in metadata go stale when a conversation is imported",
			})
		}))
	},
}
