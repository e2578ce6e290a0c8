package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var wrongContentType = &lint.Rule{
	ID: "LMC109", Name: "wrong-content-type",
	Summary: "A record's content has the wrong JSON type",
	Rationale: "Open Interpreter's terminal and its accumulate() concatenate contents and raise a TypeError; the server answers " +
		"with an error frame and loses the text. In JavaScript the content becomes \"null\" or \"[object Object]\" on the " +
		"screen. A stored message that is a list of parts reaches the model, but the terminal cannot restore the " +
		"conversation.",
	Evidence: []string{
		"documentation, lmc-messages: content is text, base64 or a path",
		"recordings: a string in every message, and in every chunk but active_line and confirmation",
		"wild: TypeError, can only concatenate str (not \"int\") to str",
	},
	Requirements: []string{"LMC-REC-6"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a number that is not converted to a string",
		Input: `[{"role": "user", "type": "message", "content": "What's 2380*3875?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "2380*3875"},
 {"role": "computer", "type": "console", "format": "output", "content": 9222500}]
`,
		Edits: []string{"9222500", `"9222500"`},
		Want:  []string{"LMC109 3:73"},
	}, {
		Name: "a list of parts, as in OpenAI's format",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "message", "content": [{"type": "text", "text": "Hello!"}]}]
`,
		Edits: []string{`[{"type": "text", "text": "Hello!"}]`, `"Hello!"`},
		Want:  []string{"LMC109 2:54"},
	}, {
		Name: "null for code that did not arrive, with its output",
		Input: `[{"role": "user", "type": "message", "content": "What's 2380*3875?"},
 {"role": "assistant", "type": "code", "format": "python", "content": null},
 {"role": "computer", "type": "console", "format": "output", "content": "9222500"},
 {"role": "assistant", "type": "message", "content": "9,222,500"}]
`,
		Edits: []string{` {"role": "assistant", "type": "code", "format": "python", "content": null},
 {"role": "computer", "type": "console", "format": "output", "content": "9222500"},
`, ""},
		Want: []string{"LMC109 2:71"},
	}},
	Good: []lint.Example{{
		Name: "content is a string",
		Input: `[{"role": "user", "type": "message", "content": "What's 2380*3875?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "2380*3875"},
 {"role": "computer", "type": "console", "format": "output", "content": "9222500"}]
`,
	}},
	New: protocol.ReportViolations(reportWrongContentType),
}

func reportWrongContentType(p *lint.Pass, v *protocol.Violation) lint.Finding {
	n, whose := v.Node, ""
	if v.Key == "content" {
		whose = " of " + protocol.RecordName(v.Record)
	}
	f := lint.Finding{
		Place:   v.Place(),
		Message: fmt.Sprintf("%s%s is %s, expected a %s", v.Key, whose, protocol.KindWord(n), protocol.AnyOf(v.Expected)),
		Help:    "write a string: str(value) in Python, String(value) in JavaScript",
	}
	switch {
	case v.Key == "auth":
		f.Help = "send the key as a string; the server answers true or false"
	case v.Key == "ack":
		f.Help = "send the id of the received frame"
	case n.Kind == source.Null && protocol.StateOf(p).Transcript && v.Record.Type != "console":
		f.Help = protocol.RemoveMessage(v.Record)
	case n.Kind == source.Null:
		f.Help = `write ""; only active_line may be null`
	case protocol.HasParts(n):
		f.Help = "send each part as a record with its own type"
	case n.Kind == source.Array, n.Kind == source.Object:
		f.Help = "send text: json.dumps(value) in Python, JSON.stringify(value) in JavaScript"
	}
	return f
}
