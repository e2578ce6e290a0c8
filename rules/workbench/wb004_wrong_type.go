package workbench

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var (
	wrongInMetadata = lint.SeverityCase{Severity: lint.SeverityWarning, When: "in metadata"}
	wrongSequence   = lint.SeverityCase{Severity: lint.SeverityWarning, When: "sequence"}
	convertedType   = lint.SeverityCase{Severity: lint.SeverityWarning, When: "value that the service converts"}
)

var wrongType = &lint.Rule{
	ID: "WB004", Name: "wrong-type",
	Summary: "A field has the wrong JSON type",
	Rationale: "The models of the service and its clients refuse the whole message. Usually content was not converted to " +
		"text, or is null instead of an empty list or object. In metadata the service accepts anything, but the app and " +
		"the assistants do not: there it is a warning. So is a value that the models convert, such as the number 1 for true.",
	Evidence: []string{
		modelOf + "ConversationMessage: content is a string, filenames a list, metadata an object, none of them null",
		pageMetadata + ": its example of a tool result has an object as content, which the service refuses",
	},
	Requirements: []string{"WB-MSG-4"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{wrongInMetadata, wrongSequence, convertedType},
	Inputs: lint.AnyInput, Protocol: protocol.Workbench{},
	Bad: []lint.Example{{
		Name: "an object as content",
		Make: func() string {
			return hello() + example.Altered(said(2, "assistant", "note", "x", "{}"), `"content": "x"`, `"content": {"README.md": "..."}`)
		},
		Edits: []string{`"text/plain", "content": {"README.md": "..."}`, `"application/json", "content": "{\"README.md\": \"...\"}"`},
		Want:  []string{"WB004 2:253"},
	}, {
		Name:  "an attribution that is a list",
		Make:  func() string { return said(1, "assistant", "chat", "Done.", `{"attribution": ["workflows"]}`) },
		Edits: []string{`["workflows"]`, `"workflows"`},
		Want:  []string{"WB004 1:307"},
	}},
	Good: []lint.Example{{
		Name: "empty content, an empty list, an empty object",
		Make: func() string { return said(1, "assistant", "note", "", "{}") },
	}},
	New: protocol.ReportWorkbenchViolations(findWrongType),
}

func findWrongType(_ *lint.Pass, b *protocol.WorkbenchViolation) lint.Finding {
	expected := expectedOf(b)
	f := lint.Finding{
		Place:   b.Place(),
		Cause:   protocol.Quoted(b.Type) + " " + protocol.KindWord(b.Node),
		Message: protocol.Quoted(b.Type) + " is " + protocol.ValueText(b.Node) + ", expected " + expected,
		Help:    "write " + expected + "; the service and its clients refuse the record",
	}
	switch {
	case strings.Contains(f.Place.Pointer, "/metadata/"), strings.Contains(f.Place.Pointer, "/meta_data/"):
		f.Severity, f.Help = wrongInMetadata.Severity, "write "+expected+"; the service accepts anything here, the app and the assistants do not"
	case b.Type == "sequence":
		f.Severity, f.Help = wrongSequence.Severity, "an import ignores it; write the number in the order of the messages"
	case slices.ContainsFunc(b.Expected, func(name string) bool { return workbench.Converts(b.Node, name) }):
		f.Severity, f.Help = convertedType.Severity, "the service converts it; write "+expected
	case b.Type == "content":
		f.Help = "send text, with json.dumps(…) and content_type application/json for data, or an empty string"
	case b.Node.Kind == source.Null:
		empty := expected
		switch b.Type {
		case "filenames", "participants", "mentions":
			empty = "[]"
		case "metadata", "meta_data", "data":
			empty = "{}"
		}
		f.Help = "write " + empty + " instead of null, or omit an optional key"
	}
	return f
}

// expectedOf returns what a field may contain.
func expectedOf(b *protocol.WorkbenchViolation) string {
	switch b.Type {
	case "message_type":
		return protocol.AnyOf(workbench.MessageTypes())
	case "participant_role", "sender_participant_role", "role":
		return protocol.AnyOf(workbench.Roles())
	case "event":
		return "an event name"
	case "conversation_permission":
		return protocol.AnyOf(b.Expected)
	}
	return asList(b.Expected)
}
