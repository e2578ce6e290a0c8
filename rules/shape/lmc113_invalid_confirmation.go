package shape

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var invalidConfirmation = &lint.Rule{
	ID: "LMC113", Name: "invalid-confirmation",
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
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "no type",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"format": "python", "content": "34 / 24"}}
`,
		Want: []string{"LMC113 4:80"},
	}, {
		Name: "a misspelled key",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "fromat": "python", "content": "34 / 24"}}
`,
		Want: []string{"LMC113 4:80"},
	}, {
		Name: "the code alone",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": "34 / 24"}
`,
		Edits: []string{`ion", "content": "34 / 24"`, `ion", "content": {"type": "code", "format": "python", "content": "34 / 24"}`},
		Want:  []string{"LMC113 4:80"},
	}, {
		Name: "a missing language",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "content": "34 / 24"}}
`,
		Edits: []string{`e", "content":`, `e", "format": "python", "content":`},
		Want:  []string{"LMC113 4:80"},
	}},
	Good: []lint.Example{{
		Name: "the content is a code message without a role",
		Input: pythonCode + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}},
	New: protocol.ReportViolations(reportInvalidConfirmation),
}

func reportInvalidConfirmation(p *lint.Pass, v *protocol.Violation) lint.Finding {
	content, kind := v.Record.Content, "code"
	f := lint.Finding{Place: v.Place(), Help: "send " + confirmationContent(protocol.StateOf(p).Dialect, v.Record)}
	if v.Record.Format == "edit" {
		kind = "edit"
		f.Help = `send {"type": "edit", "format": "sed", "content": "…", "target": "/path"}; the terminal reads all of them`
	}
	switch {
	case v.Node == content && v.Node.Kind != source.Object:
		f.Message = fmt.Sprintf("confirmation content is %s, expected an object", protocol.KindWord(v.Node))
	case v.Node == content:
		f.Message = fmt.Sprintf("confirmed %s has no %s", kind, v.Key)
		keys := []string{"type", "format", "content"}
		isMisspelt := func(n source.Node) bool { near, _ := spelling.Nearest(n.Name, keys); return near == v.Key }
		at := slices.IndexFunc(content.Children, func(n source.Node) bool { return protocol.KeyFor(n.Name) == v.Key || isMisspelt(n) })
		missing := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return content.Member(key) != nil })
		switch r := v.Record.Source; {
		case len(missing) != 1 || missing[0] != v.Key:
		case at >= 0:
			f.Help = "rename " + protocol.Quoted(content.Children[at].Name) + " to " + protocol.Quoted(v.Key)
			if f.Fix = offer.RenameKey(r, content, &content.Children[at], v.Key); f.Fix != nil {
				f.Fix.Safe = isMisspelt(content.Children[at])
			}
		case v.Key == "type" && kind == "code":
			f.Help = `add "type": "code" to the content`
			f.Fix = fix.Unsafe(f.Help, fix.AppendMember(r, content, "type", "code"))
		}
	case v.AtKey:
		f.Message = fmt.Sprintf("unknown key %s in the confirmed %s", protocol.Quoted(v.Key), kind)
		f.Help = "remove " + protocol.Quoted(v.Key)
		if content.Member("language") != nil && content.Member("code") != nil { // and format and content, too
			f.Help = `remove "language" and "code"`
		}
		if nearest := v.Suggest().Nearest; nearest != "" && content.Member(nearest) == nil {
			f.Help, f.Fix = protocol.DidYouMean(nearest), offer.RenameKey(v.Record.Source, content, v.Node, nearest)
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
// the record names, as the documentation of the dialect spells it.
func confirmationContent(d *schema.Dialect, r *lmc.Record) string {
	language := "python"
	for _, key := range []string{"format", "language"} {
		if n := r.Content.Member(key); n != nil && n.Kind == source.String {
			language = n.Text()
			break
		}
	}
	if d.LegacyConfirm {
		return fmt.Sprintf(`{"type": "code", "language": %s, "code": "…"}`, protocol.Quoted(language))
	}
	return fmt.Sprintf(`{"type": "code", "format": %s, "content": "…"}`, protocol.Quoted(language))
}
