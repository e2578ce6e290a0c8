package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var invalidConfirmation = &lint.Rule{
	ID: "LMC113", Name: "invalid-confirmation", Since: "0.1",
	Summary: "A confirmation does not hold the code that is to run",
	Rationale: "The consumer shows the code to the user and asks whether it may run. If it finds none, the user confirms something " +
		"that was never shown, or the program stops with an exception.",
	Evidence: []string{
		"documents, streaming-response: the content of a confirmation is an object with type, format and content",
		"recordings: all 518 confirmations",
		"wild: a web interface that reads keys which are never there and shows nothing",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the code alone",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": "34 / 24"}
`,
		Want: []string{"LMC113 4:80"},
	}, {
		Name: "no language",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "content": "34 / 24"}}
`,
		Want: []string{"LMC113 4:80"},
	}},
	Good: []lint.Example{{
		Name: "a confirmation holds the code as a message without a role",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "python", "content": "34 / 24"}}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnViolation(p, func(v *protocol.Violation) {
			p.Report(lint.Finding{
				Place:   v.Place(),
				Message: confirmationFault(v),
				Help:    confirmationHelp(v),
			})
		}))
	},
}

// confirmationFault says what is wrong with a confirmation's content.
func confirmationFault(v *protocol.Violation) string {
	switch {
	case v.Node == v.Record.Content && v.Node.Kind != source.Object:
		return fmt.Sprintf("the confirmation's content is %s, expected an object", protocol.KindWord(v.Node))
	case v.Node == v.Record.Content:
		return fmt.Sprintf("the confirmed code has no %s", v.Key)
	case v.AtKey:
		return fmt.Sprintf("unknown key %s in the confirmed code", protocol.Quoted(v.Key))
	}
	return fmt.Sprintf("%s of the confirmed code is %s, expected %s", protocol.Word(v.Key), protocol.ValueText(v.Node), expectedValue(v.Expected))
}

// expectedValue is what the schema expects, as a type or as a value.
func expectedValue(expected []string) string {
	if len(expected) == 1 && expected[0] == "string" {
		return "a string"
	}
	values := make([]string, len(expected))
	for i := range expected {
		values[i] = protocol.Quoted(expected[i])
	}
	return protocol.AnyOf(values)
}

func confirmationHelp(v *protocol.Violation) string {
	if v.AtKey && v.Nearest != "" && v.Record.Content.Member(v.Nearest) == nil {
		return protocol.DidYouMean(v.Nearest)
	}
	return "send " + confirmationContent(v.Record)
}

// confirmationContent shows what the content of a confirmation should be, with
// the language that it names.
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
