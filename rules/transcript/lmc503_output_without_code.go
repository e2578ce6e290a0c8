package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var outputWithoutCode = &lint.Rule{
	ID: "LMC503", Name: "output-without-code", Since: "0.1",
	Summary: "Console output has no preceding code",
	Rationale: "A console message is the output of the code before it. Open Interpreter's terminal cannot restore " +
		"the conversation: render_past_conversation raises an AttributeError. A function-calling model gets a result without its call or, since 0.3.6, an invented call.",
	Evidence: []string{
		"documentation, lmc-messages: the console is the output after its code that the computer ran",
		"recording extra_keys: an application supplied a console message of its own",
	},
	Severity: lint.SeverityError, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the code is missing",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
		Want: []string{"LMC503 2:1"},
	}},
	Good: []lint.Example{{
		Name: "output after its code",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "assistant", "type": "code", "format": "python", "content": "print(1 + 1)"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		done := false     // code has been seen
		reported := false // the current run of console messages
		return []lint.Hook{protocol.On(lmc.Message, func(e *lmc.Event) {
			r := e.Record
			switch {
			case done:
			case mayBe("code", protocol.StateOf(p), r), mayHaveBeenCode(protocol.StateOf(p), r):
				done = true
			case protocol.NeverStored(r), r.Role != "computer" && r.Invalid&lmc.InvalidFormat != 0: // possibly not a console message
			case r.Role != "computer" && r.Type != "console":
				reported = false
			case r.Type == "console" && !reported && !protocol.Explained(p, e):
				reported = true
				p.Report(lint.Finding{
					Place:   r.Place(),
					Message: protocol.RecordName(r) + " without preceding code",
					Help:    "keep the code message that produced this output",
				})
			}
		})}
	},
}

// mayHaveBeenCode reports whether a record of a transcript may be code with a
// wrong type: it has a language, or text that its type does not take.
func mayHaveBeenCode(s *protocol.State, r *lmc.Record) bool {
	_, _, language := s.Dialect.Language(r.Format)
	switch r.Type {
	case "confirmation":
		return r.Text() != ""
	case "review":
		return language
	}
	return r.Invalid&lmc.InvalidFormat != 0 && language
}

// mayBe reports whether a record of a transcript has the type, or may have it. A
// record that could not be read is nil.
func mayBe(typ string, s *protocol.State, r *lmc.Record) bool {
	if r == nil || r.Type == typ || typ == "code" && r.Type == "edit" {
		return true // an edit runs, too
	}
	if r.Invalid&lmc.InvalidType != 0 {
		return true
	}
	_, known := s.Dialect.Type(r.Type)
	return protocol.IsChunk(r) && !known
}
