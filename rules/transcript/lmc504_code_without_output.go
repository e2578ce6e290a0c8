package transcript

import (
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var codeWithoutOutput = &lint.Rule{
	ID: "LMC504", Name: "code-without-output",
	Summary: "Code is not followed by a computer message",
	Rationale: "Code that ran leaves a console message, even an empty one. Without it the code was declined or " +
		"interrupted, or its output is lost, and a function-calling model is told that the output was empty. If the last " +
		"message is code, Open Interpreter runs it as soon as the conversation continues, even if no model wrote it.",
	Evidence: []string{
		"recordings: 678 of 726 code messages are followed by a computer message",
		"respond.py, respond(): the model is not called if the last message is code",
	},
	Requirements: []string{"LMC-TRN-4"},
	Severity:     lint.SeverityNote, Inputs: lint.Transcripts, Protocol: protocol.LMC{},
	OneCause: true,
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
	New: newCodeWithoutOutput,
}

func newCodeWithoutOutput(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	var code, last source.PlaceRef    // the pending code; the last message
	pending, runsNext := false, false // runsNext: the last message is code that runs next
	report := func(at source.PlaceRef, message string) {
		p.Report(lint.Finding{
			Place:   at.Place(),
			Message: message,
			Help:    "to load the conversation without running this code, add an empty console message",
		})
	}
	reportPending := func() {
		if pending {
			report(code, "code without a following computer message")
		}
	}
	return []lint.Hook{
		protocol.On(lmc.Message, func(e *lmc.ContentEvent) {
			r := e.Record
			// The interpreter runs the code of the last message, regardless of its role.
			isRunnable := r != nil && !r.Stored && r.Type == "code" && r.Invalid == 0 && !s.Dialect.IsNote(r.Format) && !r.Blank()
			if r == nil || !protocol.NeverStored(r) {
				runsNext = isRunnable
			}
			if runsNext {
				last.Set(r.Source, nil)
			}
			switch {
			case mayBeOutput(s, r):
				pending = false
			case protocol.NeverStored(r) || r.Role == "system": // between turns; LMC506 reports system messages
			default:
				reportPending()
				if pending = isRunnable && r.Role == "assistant"; pending {
					code.Set(r.Source, nil)
				}
			}
		}),
		protocol.On(lmc.Finished, func(*source.PlaceRef) {
			if runsNext {
				report(last, "the last message is code; Open Interpreter runs it as soon as the conversation continues")
			} else {
				reportPending()
			}
		}),
	}
}

// mayBeOutput reports whether a record of a transcript is, or may have been, output
// of the computer, or what a program wrote in the user's name, such as that the user
// declined to run the code. A confirmation precedes the output.
func mayBeOutput(s *protocol.State, r *lmc.Record) bool {
	switch {
	case r == nil, r.Invalid&(lmc.InvalidRole|lmc.InvalidType) != 0:
		return true
	case r.Flag() && (r.Role == "" || mayBe("console", s, r)):
		return true
	case r.Type == "console", r.Role == "computer" && r.Type != "confirmation":
		return true
	}
	n := r.Key("source")
	return n != nil && n.Kind == source.String && r.Role == "user" && s.Dialect.HasKey(s.Part, n.Name)
}
