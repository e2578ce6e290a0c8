package execution

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var confirmationMismatch = &lint.Rule{
	ID: "LMC304", Name: "confirmation-mismatch", Since: "0.1",
	Summary: "The code to confirm differs from the code that was streamed",
	Rationale: "The user confirms other code than the one on the screen. Open Interpreter unwraps some replies of models before it runs them, so " +
		"this happens in real streams; a client should show the confirmation's code, not the block's.",
	Evidence: []string{
		"recordings functions_execute, json_hallucination of 0.3.14 and later",
		"500 of 518 recorded confirmations repeat the streamed code to the letter",
	},
	Severity: lint.SeverityWarning, Severities: map[string]lint.Severity{"docs": lint.SeverityError},
	Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "other code is confirmed than was streamed",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -r build"}}
`,
		Want: []string{"LMC304 4:127"},
	}},
	Good: []lint.Example{{
		Name: "the language is compared in lower case",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "content": " build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "Shell", "content": "ls build"}}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Confirmation, func(e *lmc.Event) {
			c, a := e.Code, e.Asked
			if c == nil || c.Lossy || c.Role == "computer" || c.Confirmed != nil || !a.OK || a.Reported {
				return
			}
			f := lint.Finding{}
			switch {
			case lmc.Canonical(c.Language) != lmc.Canonical(a.Language):
				f.Place = askedPlace(e.Record, "format", "language")
				f.Message = fmt.Sprintf("the confirmation says %s, but the streamed code is %s", protocol.Quoted(a.Language), protocol.Quoted(c.Language))
				f.Help = "repeat the streamed block's language in the confirmation"
			case !c.Text.Equal(&a.Text):
				f.Place = askedPlace(e.Record, "content", "code")
				f.Message = "the code to confirm differs from the streamed code"
				f.Help = "repeat the streamed code to the letter: the user confirms what is on the screen"
			default:
				return
			}
			f.Related = []lint.Related{{Message: "the streamed code", Place: c.Start.Place()}}
			p.Report(f)
		}))
	},
}

// askedPlace is the place of the first of some keys that a confirmation's
// content has.
func askedPlace(r *lmc.Record, keys ...string) source.Place {
	for _, key := range keys {
		if n := r.Content.Member(key); n != nil {
			return r.Source.PlaceOf(n)
		}
	}
	return r.PlaceOf("content")
}
