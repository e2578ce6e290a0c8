package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownType = &lint.Rule{
	ID: "LMC104", Name: "unknown-type", Since: "0.1",
	Summary: "A record's type is unknown or not allowed in this kind of input",
	Rationale: "Open Interpreter's terminal draws nothing for a record of another type. A stored one stops the conversation: " +
		"each later request raises an exception, because the message cannot be converted, and the server answers with an " +
		"error. Web clients save it as a message.",
	Evidence: []string{
		"documentation, lmc-messages: the types are message, console, image, code and audio",
		"recordings: file, confirmation, review; over the WebSocket also command, status and error",
		"wild: web interfaces that send text or output for message and console",
	},
	Requirements: []string{"LMC-VOC-2"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "a misspelled type",
		Input: `[{"role": "user", "type": "message", "content": "Hi"},
 {"role": "assistant", "type": "mesage", "content": "Hello!"}]
`,
		Want: []string{"LMC104 2:32"},
	}, {
		Name: "a language instead of the type",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "python", "content": "34 / 24"}]
`,
		Want: []string{"LMC104 2:32"},
	}, {
		Name: "a message type of Semantic Workbench",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "chat", "content": "About 1.42."}]
`,
		Want: []string{"LMC104 2:32"},
	}},
	Good: []lint.Example{{
		Name:  "known types",
		Input: codeTranscript,
	}},
	New: protocol.ReportViolations(findUnknownType),
}

func findUnknownType(p *lint.Pass, v *protocol.Violation) lint.Finding {
	s := protocol.StateOf(p)
	r := v.Record
	if !s.Dialect.HasRole(r.Role) && s.OtherDialect(func(d *schema.Dialect) bool {
		_, ok := d.Type(r.Type)
		return ok && d.HasRole(r.Role)
	}) != "" {
		return lint.Finding{} // LMC102 names the dialect that defines both
	}
	f := lint.Finding{Place: v.Place(), Message: v.UnknownWord("type"), Help: typeHelp(s, v)}
	isDefined := func(d *schema.Dialect) bool { return d.HasType(r.Type, s.Part) }
	if _, known := s.Dialect.Type(r.Type); known {
		f.Message = fmt.Sprintf("type %s is not allowed in a %s", r.Type, s.Kind)
	} else if !s.Dialect.IsFlag(r.Type) && !workbench.IsMessageType(r.Type) && typeSynonyms.meaning(r.Type) == "" && s.OtherDialect(isDefined) == "" {
		f.Fix = offer.CorrectIn("type", s.Dialect, v) // a word that is something else is not a misspelling
	}
	return f
}

func typeHelp(s *protocol.State, v *protocol.Violation) string {
	typ := v.Record.Type
	if _, ok := s.Dialect.Type(typ); ok && s.Transcript {
		return "remove this record from the history; it is only streamed"
	} else if ok {
		return "remove this record from the stream; it is only stored"
	}
	if s.Dialect.IsFlag(typ) {
		return fmt.Sprintf(`%s is a flag, not a type: write the type of the block and %q: true`, typ, typ)
	}
	if workbench.IsMessageType(typ) {
		return fmt.Sprintf("%s is a message_type of Semantic Workbench, whose messages have a sender instead of a role; the LMC type is message", typ)
	}
	if v.Nearest != "" && v.Nearest != typ {
		return protocol.DidYouMean(v.Nearest)
	}
	if language, _, ok := s.Dialect.Language(typ); ok {
		return fmt.Sprintf(`a language is a format of code: write "type": "code", "format": %q`, language.Name)
	}
	for i := range s.Dialect.Types {
		if t := &s.Dialect.Types[i]; hasFormat(t, typ) {
			return fmt.Sprintf(`%s is a format: write "type": %q, "format": %q`, typ, t.Name, typ)
		}
	}
	if known := s.OtherDialectHelp(func(d *schema.Dialect) bool { return d.HasType(typ, s.Part) }); known != "" {
		return known
	}
	if meant := typeSynonyms.meaning(typ); meant != "" {
		return fmt.Sprintf("the LMC type is %s", meant)
	}
	return "expected " + protocol.AnyOf(v.Expected)
}

// typeSynonyms are what other programs call the types.
var typeSynonyms = synonyms{
	"message":                     {"text", "markdown"},
	"console, with format output": {"stdout", "stderr", "result", "tool_result"},
	"image":                       {"picture", "image_url", "input_image"},
	"code":                        {"tool_call", "function", "function_call", "tool_use"},
}
