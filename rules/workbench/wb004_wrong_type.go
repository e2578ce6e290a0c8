package workbench

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/workbench"
	"github.com/lmclint/lmclint/lint"
)

var wrongType = &lint.Rule{
	ID: "WB004", Name: "wrong-type", Since: "0.1",
	Summary: "A value is of a type that its field does not have",
	Rationale: "The models of the service and its clients refuse the whole message. Mostly it is a content that was not turned into " +
		"text, or null where an empty list or object is meant. In metadata the service takes anything, but the app and the assistants " +
		"do not: there it is a warning.",
	Evidence: []string{
		modelOf + "ConversationMessage: content is a string, filenames a list, metadata an object, none of them null",
		pageMetadata + ": its example of a tool result has an object for content, which the service refuses",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "a content that is an object",
		Make: func() string {
			return hello() + altered(said(2, "assistant", "note", "x", "{}"), `"content": "x"`, `"content": {"README.md": "..."}`)
		},
		Want: []string{"WB004 2:253"},
	}, {
		Name: "an attribution that is a list",
		Make: func() string { return said(1, "assistant", "chat", "Done.", `{"attribution": ["workflows"]}`) },
		Want: []string{"WB004 1:307"},
	}},
	Good: []lint.Example{{
		Name: "an empty content, an empty list, an empty object",
		Make: func() string { return said(1, "assistant", "note", "", "{}") },
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnWorkbenchViolation(p, func(b *protocol.WorkbenchViolation) {
			f := lint.Finding{
				Place:   b.Place(),
				Message: protocol.Quoted(b.Type) + " is " + protocol.ValueText(b.Node) + ", expected " + expectedOf(b),
				Help:    fieldHelp(b),
			}
			if inMetadata(b.Record.Message, b.Node) {
				f.Severity = lint.SeverityWarning
			}
			p.Report(f)
		}))
	},
}

// expectedOf says what a field may hold.
func expectedOf(b *protocol.WorkbenchViolation) string {
	switch b.Type {
	case "message_type":
		return protocol.AnyOf(workbench.MessageTypes())
	case "participant_role", "sender_participant_role", "role":
		return protocol.AnyOf(workbench.Roles())
	case "event":
		return "the name of an event"
	case "conversation_permission":
		return protocol.AnyOf(b.Expected)
	}
	return asList(b.Expected)
}

func fieldHelp(b *protocol.WorkbenchViolation) string {
	switch {
	case b.Type == "content":
		return "send text: json.dumps(…) for data, with content_type application/json, and an empty string for nothing"
	case b.Node.Kind == source.Null:
		return "write what is empty as " + emptyOf(b) + ", or leave the key out where it may be missing"
	}
	return "the service and its clients refuse a record with a value of another type"
}

// emptyOf is how nothing is written in a field.
func emptyOf(b *protocol.WorkbenchViolation) string {
	switch b.Type {
	case "filenames", "participants", "mentions":
		return "[]"
	case "metadata", "meta_data", "data":
		return "{}"
	}
	return "an empty value of the type"
}
