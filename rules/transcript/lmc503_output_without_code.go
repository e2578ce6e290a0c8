package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var outputWithoutCode = &lint.Rule{
	ID: "LMC503", Name: "output-without-code", Since: "0.1",
	Summary: "Console output stands before any code",
	Rationale: "A console message is the output of the code before it. For a model the two become a call and its result, and a result " +
		"without a call makes no sense or is refused. The code was lost, or the history was cut at the wrong place.",
	Evidence: []string{
		"documents, lmc-messages: the console is the output of code that the computer ran",
		"recording extra_keys: an application supplied a console message of its own",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the code was lost",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
		Want: []string{"LMC503 2:1"},
	}},
	Good: []lint.Example{{
		Name: "output of code",
		Input: `[{"role": "user", "type": "message", "content": "What is 1 + 1?"},
{"role": "assistant", "type": "code", "format": "python", "content": "print(1 + 1)"},
{"role": "computer", "type": "console", "format": "output", "content": "2\n"},
{"role": "assistant", "type": "message", "content": "It is 2."}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		done := false // code was seen
		told := false // of the output at hand: what comes in a row is one
		return protocol.StatefulHooks(func() { done, told = false, false }, protocol.On(lmc.Message, func(e *lmc.Event) {
			r := e.Record
			switch {
			case done:
			case mayBe("code", protocol.StateOf(p), r), mayHaveBeenCode(protocol.StateOf(p), r):
				done = true
			case protocol.NeverStored(r), r.Role != "computer" && r.Invalid&lmc.InvalidFormat != 0: // it may be no console
			case r.Role != "computer" && r.Type != "console":
				told = false
			case r.Type == "console" && !told:
				told = true
				p.Report(lint.Finding{
					Place:   r.Place(),
					Message: protocol.RecordName(r) + " without any code before it",
					Help:    "keep the code message that this is the output of",
				})
			}
		}))
	},
}

// mayHaveBeenCode reports whether a record of a transcript is code under another
// type: it has a language, or text where what it calls itself has none.
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

// mayBe reports whether a record of a transcript is of a type, or may have
// been: it is nil where it could not be read.
func mayBe(typ string, s *protocol.State, r *lmc.Record) bool {
	if r == nil || r.Type == typ || typ == "code" && r.Type == "edit" {
		return true // an edit is run, too
	}
	if r.Invalid&lmc.InvalidType != 0 {
		return true
	}
	_, known := s.Dialect.Type(r.Type)
	return protocol.IsChunk(r) && !known
}
