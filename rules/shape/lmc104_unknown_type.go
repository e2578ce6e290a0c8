package shape

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/fix/offer"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
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
	New: newUnknownType,
}

func newUnknownType(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnViolation(p, func(v *protocol.Violation) {
		if isFromOtherDialect(protocol.StateOf(p), v.Record) {
			return // LMC102 names the dialect that defines both
		}
		message := v.UnknownWord("type")
		if _, ok := protocol.StateOf(p).Dialect.Type(v.Record.Type); ok {
			message = fmt.Sprintf("type %s is not allowed in a %s", v.Record.Type, protocol.StateOf(p).Kind())
		}
		p.Report(lint.Finding{Place: v.Place(), Message: message, Help: typeHelp(protocol.StateOf(p), v), Fix: typeFix(protocol.StateOf(p), v)})
	})}
}

func typeHelp(s *protocol.State, v *protocol.Violation) string {
	typ := v.Record.Type
	if _, ok := s.Dialect.Type(typ); ok && s.Transcript {
		return "remove this record from the history; it is only streamed"
	} else if ok {
		return "remove this record from the stream; it is only stored"
	}
	if protocol.IsFlagWord(typ) {
		return fmt.Sprintf(`%s is a flag, not a type: write the type of the block and %q: true`, typ, typ)
	}
	if protocol.IsWorkbenchType(typ) {
		return fmt.Sprintf("%s is a message_type of Semantic Workbench, whose messages have a sender instead of a role; the LMC type is message", typ)
	}
	if v.Nearest != "" && v.Nearest != typ {
		return protocol.DidYouMean(v.Nearest)
	}
	if language, _, ok := s.Dialect.Language(typ); ok {
		return fmt.Sprintf(`a language is a format of code: write "type": "code", "format": %q`, language.Name)
	}
	if t := typeWithFormat(s.Dialect, typ); t != "" {
		return fmt.Sprintf(`%s is a format: write "type": %q, "format": %q`, typ, t, typ)
	}
	known := s.OtherDialectHelp(func(d *schema.Dialect) bool { return d.HasType(typ, s.Part()) })
	if known != "" {
		return known
	}
	if meant := typeFor(typ); meant != "" {
		return fmt.Sprintf("the LMC type is %s", meant)
	}
	return "expected " + protocol.AnyOf(v.Expected)
}

// typeFix returns the fix of a misspelled type. A word that is something else is
// not a misspelling.
func typeFix(s *protocol.State, v *protocol.Violation) *lint.Fix {
	typ := v.Record.Type
	if _, known := s.Dialect.Type(typ); known || protocol.IsFlagWord(typ) || protocol.IsWorkbenchType(typ) || typeFor(typ) != "" {
		return nil
	}
	if s.OtherDialect(func(d *schema.Dialect) bool { return d.HasType(typ, s.Part()) }) != "" {
		return nil
	}
	return offer.CorrectIn("type", s.Dialect, v, v.Expected)
}

// isFromOtherDialect reports whether both role and type are unknown here and
// defined in another dialect: that is one mistake.
func isFromOtherDialect(s *protocol.State, r *lmc.Record) bool {
	return !s.Dialect.HasRole(r.Role) && s.OtherDialect(func(d *schema.Dialect) bool {
		_, ok := d.Type(r.Type)
		return ok && d.HasRole(r.Role)
	}) != ""
}

// typeWithFormat returns the type that has a format of that name, or "".
func typeWithFormat(dialect *schema.Dialect, format string) string {
	for i := range dialect.Types {
		if _, ok := dialect.Types[i].Format(format); ok {
			return dialect.Types[i].Name
		}
	}
	return ""
}

// typeFor returns the type that other programs call word, or "".
func typeFor(word string) string {
	switch strings.ToLower(word) {
	case "text", "markdown":
		return "message"
	case "stdout", "stderr", "result", "tool_result":
		return "console, with format output"
	case "picture", "image_url", "input_image":
		return "image"
	case "tool_call", "function", "function_call", "tool_use":
		return "code"
	}
	return ""
}
