package workbench

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
)

var debugInMetadata = &lint.Rule{
	ID: "WB116", Name: "debug-in-metadata",
	Summary: "A stored message has debug data in its metadata",
	Rationale: "The service moves debug data out of the metadata when a message is created. A message that still has it " +
		"was captured before 2024-11-04 or does not come from the service; it may contain confidential data. Not reported " +
		"in requests and files of the .NET connector, where it belongs.",
	Evidence: []string{
		"semanticworkbench, controller/conversation.py, create_conversation_message(): metadata.debug is merged into debug_data",
		"semanticworkbench, test_workbench_service.py: debug should be stripped out",
	},
	Requirements: []string{"WB-CON-11"},
	Severity:     lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the request to the model",
		Make: func() string { return said(1, "assistant", "chat", "Hi!", `{"debug": {"model": "gpt-4o"}}`) },
		Want: []string{"WB116 1:290"},
	}},
	Good: []lint.Example{{Name: "a request may have it", Input: `{"content": "hi", "message_type": "chat", "metadata": {"debug": {"model": "gpt-4o"}}}` + "\n"}},
	New:  newDebugInMetadata,
}

func newDebugInMetadata(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
		n := e.Message.Meta("debug")
		if n == nil || !e.Message.Stored() || protocol.WorkbenchStateOf(p).FromConnector {
			return
		}
		p.Report(lint.Finding{
			Place: e.Record.Source.PlaceOfKey(n), Message: "debug data in the metadata of a stored message",
			Help: "use GET /conversations/{id}/messages/{id}/debug_data; remove confidential data before sharing the recording",
		})
	})}
}
