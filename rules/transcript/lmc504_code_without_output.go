package transcript

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var codeWithoutOutput = &lint.Rule{
	ID: "LMC504", Name: "code-without-output", Since: "0.1",
	Summary: "The assistant's code is followed by no message of the computer",
	Rationale: "Code that ran leaves a console message, even an empty one. Without it the code was declined or interrupted, or its output " +
		"is lost; and when the last message is code, Open Interpreter runs that code as soon as the conversation goes on.",
	Evidence: []string{
		"recordings: of 726 code messages 678 are followed by a message of the computer",
		"respond.py: the model is skipped when the last message is code",
	},
	Severity: lint.SeverityNote, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "declined code",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "rm notes.txt"},
{"role": "user", "type": "message", "content": "No, keep it."}]
`,
		Want: []string{"LMC504 1:2"},
	}, {
		Name:  "the conversation ends with code",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}]` + "\n",
		Want:  []string{"LMC504 1:2"},
	}},
	Good: []lint.Example{{
		Name: "code that printed nothing",
		Input: `[{"role": "assistant", "type": "code", "format": "shell", "content": "cd /tmp"},
{"role": "computer", "type": "console", "format": "output", "content": ""}]
`,
	}, {
		Name: "text in the guise of code",
		Input: `[{"role": "assistant", "type": "code", "format": "markdown", "content": "# Plan"},
{"role": "user", "type": "message", "content": "Go on."}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		var code source.PlaceRef // the code that waits for its output
		waits := false
		tell := func() {
			if waits {
				p.Report(lint.Finding{
					Place:   code.Place(),
					Message: "no output of the computer follows this code",
					Help:    "was it declined or interrupted? to load the conversation again without running it, add an empty console message",
				})
			}
			waits = false
		}
		return protocol.StatefulHooks(
			func() { waits = false },
			protocol.On(lmc.Message, func(e *lmc.Event) {
				r := e.Record
				switch {
				case mayBeOutput(protocol.StateOf(p), r):
					waits = false
				case protocol.NeverStored(r) || r.Role == "system": // it is nobody's turn: LMC506 tells of it
				default:
					tell()
					if runs(protocol.StateOf(p), r) {
						code.Set(r.Source, nil)
						waits = true
					}
				}
			}),
			protocol.On(lmc.Finished, func(*lmc.Event) { tell() }),
		)
	},
}

// mayBeOutput reports whether a record of a transcript is, or may have been,
// what the computer put out. A confirmation comes before that.
func mayBeOutput(s *protocol.State, r *lmc.Record) bool {
	switch {
	case r == nil, r.Invalid&(lmc.InvalidRole|lmc.InvalidType) != 0:
		return true
	case protocol.IsChunk(r) && (r.Role == "" || mayBe("console", s, r)):
		return true
	}
	return r.Type == "console" || r.Role == "computer" && r.Type != "confirmation"
}

// runs reports whether a message is code that the interpreter runs.
func runs(s *protocol.State, r *lmc.Record) bool {
	if r.Role != "assistant" || r.Type != "code" || r.Invalid != 0 {
		return false
	}
	return !s.Dialect.Note(r.Format) && !r.Blank()
}
