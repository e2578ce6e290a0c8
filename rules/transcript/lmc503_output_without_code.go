package transcript

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var outputWithoutCode = &lint.Rule{
	ID: "LMC503", Name: "output-without-code",
	Summary: "Console output follows a message instead of code",
	Rationale: "A console message is the output of the code before it; only other output, and images, may be between. Open Interpreter's " +
		"terminal cannot restore the conversation: render_past_conversation raises an AttributeError. A function-calling model gets a result without its call or, since 0.3.6, an invented call.",
	Evidence: []string{
		"documentation, lmc-messages: the console is the output after its code that the computer ran",
		"recording extra_keys: an application added a console message",
	},
	Requirements: []string{"LMC-TRN-3"},
	Severity:     lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the code is missing",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
		Edits: []string{`{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
`, `{"role": "assistant", "type": "code", "format": "python", "content": "print(1 + 1)"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
`},
		Want: []string{"LMC503 2:1"},
	}, {
		Name: "output after the answer",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "assistant", "type": "code", "format": "python", "content": "print(1 + 1)"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."},
{"role": "computer", "type": "console", "format": "output", "content": "Reminder: be brief."}]
`,
		Edits: []string{`"assistant", "type": "message", "content": "It is 2."},
{"role": "computer", "type": "console", "format": "output", "content": "Reminder: be brief."`, `"computer", "type": "console", "format": "output", "content": "Reminder: be brief."},
{"role": "assistant", "type": "message", "content": "It is 2."`},
		Want: []string{"LMC503 5:1"},
	}},
	Good: []lint.Example{{
		Name: "output after its code",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "assistant", "type": "code", "format": "python", "content": "print(1 + 1)"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
	}, {
		Name: "output in parts, with what it shows",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "show()"},
{"role": "computer", "type": "console", "format": "output", "content": "shown\n"},
{"role": "computer", "type": "image", "format": "path", "content": "plot.png"},
{"role": "computer", "type": "code", "format": "html", "content": "<p>Plot</p>"},
{"role": "computer", "type": "console", "format": "output", "content": "done\n"}]
`,
	}},
	New: newOutputWithoutCode,
}

func newOutputWithoutCode(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	anyCode := false
	followsCode := false // no message came since the last code
	reported := false    // the output after the last message
	hasMessage := false
	// Output before any message waits for one: alone it is a row of the documentation's
	// table, which any role may send.
	var alone *lint.Finding
	return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
		r := e.Record
		if alone != nil && r != nil && (r.Type == "message" || r.Type == "code") { // nil if it could not be read
			p.Report(*alone)
			alone = nil
		}
		switch {
		case mayBe("code", s, r), mayHaveBeenCode(s, r):
			followsCode, anyCode = true, true
		case protocol.NeverStored(r), r.Role == "system": // reported
		case r.Role != "computer" && r.Invalid&lmc.InvalidFormat != 0: // possibly not a console message
		case r.Type == "console":
			if followsCode || reported || anyCode && s.Dialect.LateOutput || protocol.Explained(p, e) {
				return
			}
			reported = true
			// It does not refer to the message before: to keep the place of each message costs a
			// tenth of the time of a check.
			f := lint.Finding{
				Place:   r.Place(),
				Message: protocol.RecordName(r) + " does not follow code",
				Help:    "put it directly after the code message that produced it",
			}
			if hasMessage {
				f.Message = protocol.RecordName(r) + " follows a message, not code"
			}
			if !hasMessage && !anyCode && !s.DialectNamed {
				alone = &f
				return
			}
			protocol.ReportUnless(p, f, func(d *schema.Dialect) bool { return anyCode && d.LateOutput })
		case r.Type == "message" || r.Role == "user":
			followsCode, reported, hasMessage = false, false, true
		}
	})}
}

// mayHaveBeenCode reports whether a record of a transcript may be code with a
// wrong type: it has a language, or text that its type does not take.
func mayHaveBeenCode(s *protocol.State, r *lmc.Record) bool {
	if r.Type == "confirmation" {
		return r.Text() != ""
	}
	if r.Type != "review" && r.Invalid&lmc.InvalidFormat == 0 {
		return false
	}
	_, _, isLanguage := s.Dialect.Language(r.Format)
	return isLanguage
}

// mayBe reports whether a record of a transcript has the type, or may have it. A
// record that could not be read is nil.
func mayBe(typ string, s *protocol.State, r *lmc.Record) bool {
	if r == nil || r.Type == typ || typ == "code" && r.Type == "edit" {
		return true // an edit runs, too
	}
	_, known := s.Dialect.Type(r.Type)
	return r.Invalid&lmc.InvalidType != 0 || r.Flag() && !known
}
