package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
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
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": "34 / 24"}
`,
		Want: []string{"LMC113 4:80"},
	}, {
		Name: "a missing language",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "content": "34 / 24"}}
`,
		Want: []string{"LMC113 4:80"},
	}},
	Good: []lint.Example{{
		Name: "the content is a code message without a role",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}},
	New: protocol.ReportViolations(reportInvalidConfirmation),
}

func reportInvalidConfirmation(_ *lint.Pass, v *protocol.Violation) lint.Finding {
	content, kind := v.Record.Content, "code"
	f := lint.Finding{Place: v.Place(), Help: "send " + confirmationContent(v.Record)}
	if v.Record.Format == "edit" {
		kind = "edit"
		f.Help = `send {"type": "edit", "format": "sed", "content": "…", "target": "/path"}; the terminal reads all of them`
	}
	switch {
	case v.Node == content && v.Node.Kind != source.Object:
		f.Message = fmt.Sprintf("confirmation content is %s, expected an object", protocol.KindWord(v.Node))
	case v.Node == content:
		f.Message = fmt.Sprintf("confirmed %s has no %s", kind, v.Key)
		missing := slices.DeleteFunc([]string{"type", "format", "content"}, func(key string) bool { return content.Member(key) != nil })
		at := slices.IndexFunc(content.Children, func(n source.Node) bool { return protocol.KeyFor(n.Name) == v.Key })
		if len(missing) == 1 && missing[0] == v.Key && at >= 0 {
			f.Help = "rename " + protocol.Quoted(content.Children[at].Name) + " to " + protocol.Quoted(v.Key)
		}
	case v.AtKey:
		f.Message = fmt.Sprintf("unknown key %s in the confirmed %s", protocol.Quoted(v.Key), kind)
		f.Help = "remove " + protocol.Quoted(v.Key)
		if v.Nearest != "" && content.Member(v.Nearest) == nil {
			f.Help = protocol.DidYouMean(v.Nearest)
		}
	default:
		expected := protocol.AllQuoted(v.Expected)
		if v.Expected[0] == "string" {
			expected = kinds(v.Expected)
		}
		f.Message = fmt.Sprintf("%s of confirmed %s is %s, expected %s", protocol.Word(v.Key), kind, protocol.ValueText(v.Node), protocol.AnyOf(expected))
	}
	return f
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
