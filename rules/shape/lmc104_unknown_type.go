package shape

import (
	"cmp"
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/workbench"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var unknownType = &lint.Rule{
	ID: "LMC104", Name: "unknown-type",
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
	Fixes: lint.SafeFixes | lint.UnsafeFixes,
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
		Edits: []string{`"python"`, `"code", "format": "python"`},
		Want:  []string{"LMC104 2:32"},
	}, {
		Name: "a message type of Semantic Workbench",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "chat", "content": "About 1.42."}]
`,
		Edits: []string{`"chat"`, `"message"`},
		Want:  []string{"LMC104 2:32"},
	}},
	Good: []lint.Example{{
		Name:  "known types",
		Input: codeTranscript,
	}},
	New: protocol.FindViolations(findUnknownType),
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
	if v.Repeats(p) {
		return lint.Finding{}
	}
	f := lint.Finding{Place: v.Place(), Message: v.UnknownWord("type")}
	f.Help, f.Fix = typeHelp(s, v)
	isDefined := func(d *schema.Dialect) bool { return d.HasType(r.Type, s.Part) }
	if _, known := s.Dialect.Type(r.Type); known {
		f.Message = fmt.Sprintf("type %s is not allowed in a %s", r.Type, s.Kind)
	} else if f.Fix == nil && !s.Dialect.IsFlag(r.Type) && !workbench.IsMessageType(r.Type) && typeSynonyms.meaning(r.Type) == "" && s.OtherDialect(isDefined) == "" {
		f.Fix = offer.CorrectIn("type", s.Dialect, v) // a word that is something else is not a misspelling
	}
	return f
}

// typeHelp returns what to do about an unknown type, and the fix that does it.
func typeHelp(s *protocol.State, v *protocol.Violation) (string, *lint.Fix) {
	typ := v.Record.Type
	if _, ok := s.Dialect.Type(typ); ok && s.Transcript {
		return "remove this record from the history; it is only streamed", nil
	} else if ok {
		return "remove this record from the stream; it is only stored", nil
	}
	if s.Dialect.IsFlag(typ) {
		return fmt.Sprintf(`%s is a flag, not a type: write the type of the block and %q: true`, typ, typ), nil
	}
	if workbench.IsMessageType(typ) {
		return fmt.Sprintf("%s is a message_type of Semantic Workbench, whose messages have a sender instead of a role; the LMC type is message", typ), nil
	}
	suggested := v.Suggest()
	if suggested.Nearest != "" && suggested.Nearest != typ {
		return fmt.Sprintf("did you mean %q%s?", suggested.Nearest, withFormat(s.Dialect, v.Record, suggested.Nearest)), nil
	}
	if language, _, ok := s.Dialect.Language(typ); ok {
		return fmt.Sprintf(`a language is a format of code: write "type": "code", "format": %q`, language.Name), typeFix(s, v, "code", language.Name)
	}
	for i := range s.Dialect.Types {
		if t := &s.Dialect.Types[i]; hasFormat(t, typ) {
			return fmt.Sprintf(`%s is a format: write "type": %q, "format": %q`, typ, t.Name, typ), typeFix(s, v, t.Name, typ)
		}
	}
	if known := s.OtherDialectHelp(func(d *schema.Dialect) bool { return d.HasType(typ, s.Part) }); known != "" {
		return known, nil
	}
	meant := cmp.Or(typeSynonyms.meaning(typ), suggested.Within)
	switch flag := protocol.FlagWord(suggested.Rest); {
	case meant == "":
		return "expected " + protocol.AnyOf(v.Expected), nil
	case meant == "console" && suggested.Within == "":
		return "the LMC type is console, with format output", typeFix(s, v, meant, "output")
	case flag != "" && v.Record.Content == nil:
		if flag == "end" {
			flag = s.Dialect.EndKey
		}
		f := typeFix(s, v, meant, v.Record.Format)
		if f != nil {
			f.Edits = append(f.Edits, offer.Set(v.Record, flag, true)...)
		}
		return fmt.Sprintf(`write "type": %q, %q: true`, meant, flag), f
	default:
		return "the LMC type is " + meant + withFormat(s.Dialect, v.Record, meant), typeFix(s, v, meant, v.Record.Format)
	}
}

// withFormat returns what help that names types says of the format of the record, if none
// of them takes it as it is, or "".
func withFormat(d *schema.Dialect, r *lmc.Record, types ...string) string {
	format := r.Key("format")
	for _, name := range types {
		t, ok := d.Type(name)
		if !ok || offer.TakesFormat(t, format != nil, r.Format, r.Flag()) || format != nil && t.Options != schema.FormatNone {
			return ""
		}
	}
	if format != nil {
		return `, without "format"`
	}
	return `, with its "format"`
}

// typeFix returns the fix that gives a record another type, with its format or without
// one.
func typeFix(s *protocol.State, v *protocol.Violation, name, format string) *lint.Fix {
	r := v.Record
	t, ok := s.Dialect.Type(name)
	if !ok || t.Options == schema.FormatRequired && format == "" {
		return nil
	}
	if hasFormat(t, r.Format) {
		format = r.Format // of the other type as well
	}
	if r.Content != nil && !offer.Takes(t, r, format) {
		return nil
	}
	takesNone := t.Options == schema.FormatNone || t.Options == schema.FormatOnContentOnly && r.Flag() || format == ""
	f := offer.Guess(r.Source, v.Node, name)
	switch old := r.Source.Root.Member("format"); {
	case f == nil:
	case !takesNone && r.Format != format:
		f.Edits = append(f.Edits, offer.Set(r, "format", format)...)
	case takesNone && old != nil:
		f.Edits = append(f.Edits, fix.RemoveMember(r.Source, r.Source.Root, old)...)
	}
	return f
}

// typeSynonyms are what other programs call the types.
var typeSynonyms = synonyms{
	"message": {"text", "markdown", "msg"},
	"console": {"stdout", "stderr", "result", "tool_result"},
	"image":   {"picture", "image_url", "input_image"},
	"code":    {"tool_call", "function", "function_call", "tool_use"},
}
