package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidConfirmation = &lint.Rule{
	ID: "LMC113", Name: "invalid-confirmation", Since: "0.1",
	Summary: "A confirmation's content is not a valid code object",
	Rationale: "The consumer shows the code to the user and asks for permission to run it. Open Interpreter's terminal raises a " +
		"TypeError or KeyError at content of another form, before it asks. A Streamlit client raises an AttributeError, and web " +
		"clients append the content to the code.",
	Evidence: []string{
		"documentation, streaming-response: the content of a confirmation is an object with type, format and content",
		"recordings: all 518 confirmations",
		"wild: a web interface that reads keys that are never present and shows nothing",
	},
	Requirements: []string{"LMC-VOC-7"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the code alone",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": "34 / 24"}
`,
		Want: []string{"LMC113 4:80"},
	}, {
		Name: "a missing language",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "content": "34 / 24"}}
`,
		Want: []string{"LMC113 4:80"},
	}},
	Good: []lint.Example{{
		Name: "the content is a code message without a role",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}},
	New: protocol.ReportViolations(reportInvalidConfirmation),
}

func reportInvalidConfirmation(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	return lint.Finding{
		Place:   v.Place(),
		Message: confirmationFault(v),
		Help:    confirmationHelp(v),
	}
}

// confirmationFault returns the message for an invalid confirmation content.
func confirmationFault(v *protocol.Violation) string {
	switch {
	case v.Node == v.Record.Content && v.Node.Kind != source.Object:
		return fmt.Sprintf("confirmation content is %s, expected an object", protocol.KindWord(v.Node))
	case v.Node == v.Record.Content:
		return fmt.Sprintf("confirmed %s has no %s", confirmedKind(v), v.Key)
	case v.AtKey:
		return fmt.Sprintf("unknown key %s in the confirmed %s", protocol.Quoted(v.Key), confirmedKind(v))
	}
	return fmt.Sprintf("%s of confirmed %s is %s, expected %s", protocol.Word(v.Key), confirmedKind(v), protocol.ValueText(v.Node), expectedValue(v.Expected))
}

// confirmedKind names what is confirmed.
func confirmedKind(v *protocol.Violation) string {
	if v.Record.Format == "edit" {
		return "edit"
	}
	return "code"
}

// expectedValue returns the type or the values that the schema expects.
func expectedValue(expected []string) string {
	if expected[0] == "string" {
		return protocol.AnyOf(kinds(expected))
	}
	values := make([]string, len(expected))
	for i := range expected {
		values[i] = protocol.Quoted(expected[i])
	}
	return protocol.AnyOf(values)
}

// confirmationHelp returns the help: which key to rename or to remove, if that is
// all, or else a valid content.
func confirmationHelp(v *protocol.Violation) string {
	content := v.Record.Content
	switch missing := missingOf(content, "type", "format", "content"); {
	case v.AtKey && v.Nearest != "" && content.Member(v.Nearest) == nil:
		return protocol.DidYouMean(v.Nearest)
	case v.AtKey:
		return "remove " + protocol.Quoted(v.Key)
	case v.Node == content && len(missing) == 1 && missing[0] == v.Key:
		for i := range content.Children {
			if name := content.Children[i].Name; protocol.KeyFor(name) == v.Key {
				return "rename " + protocol.Quoted(name) + " to " + protocol.Quoted(v.Key)
			}
		}
	}
	if confirmedKind(v) == "edit" {
		return `send {"type": "edit", "format": "sed", "content": "…", "target": "/path"}; the terminal reads all of them`
	}
	if v.AtKey {
		return "remove the key; confirmed code has a type, a format and content"
	}
	return "send " + confirmationContent(v.Record)
}

// missingOf returns the keys that an object does not have.
func missingOf(object *source.Node, keys ...string) []string {
	return slices.DeleteFunc(keys, func(key string) bool { return object.Member(key) != nil })
}

// confirmationContent returns the JSON of a valid content with the language that
// the record names.
func confirmationContent(r *lmc.Record) string {
	language := "python"
	for _, key := range []string{"format", "language"} {
		if n := r.Content.Member(key); n != nil && n.Kind == source.String {
			language = n.Text()
			break
		}
	}
	return fmt.Sprintf(`{"type": "code", "format": %s, "content": "…"}`, protocol.Quoted(language))
}
