package workbench

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var openAICalls = lint.SeverityCase{Severity: lint.SeverityNote, When: "tool calls in the structure of the OpenAI API"}

var toolResultLink = &lint.Rule{
	ID: "WB118", Name: "tool-result-link",
	Summary: "A tool result does not reference a tool call of its message",
	Rationale: "The app shows a result with the call that it names, and assistants build the model's history from the " +
		"pair. A result without its call makes the model's service refuse the request.",
	Evidence: []string{
		pageMetadata + ": tool_calls and tool_result, whose tool_call_id is the id of a call",
		"semanticworkbench, navigator assistant, handle_completion() and tool_calls_from_metadata(): stores and reads tool_calls in the structure of the OpenAI API, which is a note",
	},
	Requirements: []string{"WB-CON-12"},
	Severity:     lint.SeverityWarning, Severities: []lint.SeverityCase{openAICalls},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an unknown tool_call_id",
		Make: func() string {
			return said(1, "assistant", "note", "x", `{"tool_calls": [{"id": "call_1", "name": "view", "arguments": {}}], "tool_result": {"tool_call_id": "call_9"}}`)
		},
		Edits: []string{`"call_9"`, `"call_1"`},
		Want:  []string{"WB118 1:387"},
	}},
	Good: []lint.Example{{
		Name: "the id of a call",
		Make: func() string {
			return said(1, "assistant", "note", "x", `{"tool_calls": [{"id": "call_1", "name": "view", "arguments": {}}], "tool_result": {"tool_call_id": "call_1"}}`)
		},
	}},
	New: newToolResultLink,
}

func newToolResultLink(p *lint.Pass) []lint.Hook {
	var openAI *workbench.Record // the last one with calls in the structure of the OpenAI API
	return []lint.Hook{protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
		f := lint.Finding{
			Place: b.Place(), Cause: b.Type, Message: protocol.Quoted(b.Type) + " is " + protocol.ValueText(b.Node) + ", expected " + asList(b.Expected),
			Help: "write tool_calls as a list of calls with id, name and arguments, and tool_result with a tool_call_id",
		}
		if b.Found() == "" {
			f.Message = b.Type + " has no " + protocol.Quoted(b.Key)
		}
		// The navigator assistant stores and reads calls in the structure of the OpenAI API.
		if name := b.Node.Member("function").Member("name"); name != nil && name.Kind == source.String && b.Node.Member("type").Text() == "function" {
			if b.Record == openAI {
				return
			}
			openAI = b.Record
			f.Severity, f.Message, f.Cause = openAICalls.Severity, "tool calls have the structure of the OpenAI API", ""
			f.Help = "write each call as id, name and arguments, if the app is to show it"
		}
		p.Report(f)
	}), protocol.OnWorkbench(workbench.Said, func(e *workbench.Event) {
		id := e.Message.Meta("tool_result").Member("tool_call_id")
		if id == nil || id.Kind != source.String {
			return
		}
		calls := e.Message.Meta("tool_calls")
		isCall := func(call source.Node) bool { // or may be, if its id is invalid
			n := call.Member("id")
			return n == nil || n.Kind != source.String || n.Text() == id.Text()
		}
		if calls == nil || calls.Kind == source.Array && !slices.ContainsFunc(calls.Children, isCall) {
			p.Report(lint.Finding{
				Place: e.Message.At(id), Cause: "unknown id", Message: "unknown tool call id " + protocol.Quoted(id.Text()),
				Help: "write the id of one of the calls in tool_calls of this message",
			})
		}
	})}
}
