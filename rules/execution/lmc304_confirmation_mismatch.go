package execution

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var confirmationMismatch = &lint.Rule{
	ID: "LMC304", Name: "confirmation-mismatch", Since: "0.1",
	Summary: "The code in a confirmation differs from the streamed code",
	Rationale: "Open Interpreter's terminal asks the user to confirm the streamed code and shows the code that runs only after the answer. Models " +
		"sometimes write {\"language\": …, \"code\": …} instead of the code, which releases since 0.3.6 unwrap before they confirm " +
		"it: that is not reported. They unwrap functions.execute(…), too; a client should then show the code of the confirmation, " +
		"not of the block.",
	Evidence: []string{
		"respond.py, respond(): unwraps both since 0.3.6; recordings functions_execute, json_hallucination",
		"terminal_interface.py, terminal_interface(): shows the streamed code, asks, and shows the confirmed code after the answer",
		"500 of 518 recorded confirmations repeat the streamed code exactly",
	},
	Requirements: []string{"LMC-EXE-5"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the confirmation contains other code",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -r build"}}
`,
		Want: []string{"LMC304 4:127"},
	}, {
		Name: "a second confirmation, of other code",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -rf /"}}
`,
		Want: []string{"LMC304 5:127"},
	}},
	Good: []lint.Example{{
		Name: "an object with the code, which the interpreter unwraps",
		Input: `{"role": "assistant", "type": "code", "format": "python", "start": true}
{"role": "assistant", "type": "code", "format": "python", "content": "{\"language\": \"shell\", "}
{"role": "assistant", "type": "code", "format": "python", "content": "\"code\": \"ls build\"}"}
{"role": "assistant", "type": "code", "format": "python", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "ls build"}}
`,
	}, {
		Name: "languages are compared in lower case",
		Input: `{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "code", "format": "shell", "content": " build"}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "Shell", "content": "ls build"}}
`,
	}},
	New: newConfirmationMismatch,
}

func newConfirmationMismatch(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.Confirmation, func(e *lmc.Event) {
		if !protocol.StateOf(p).ComparesConfirmations() || protocol.Explained(p, e) {
			return
		}
		if protocol.StateOf(p).Dialect.StorageRules.Rewrites && isUnwrapped(e.Code, e.Asked) {
			return
		}
		if keys, message, help := mismatch(e.Code, e.Asked); message != "" {
			p.Report(lint.Finding{
				Place: askedPlace(e.Record, keys...), Message: message, Help: help,
				Related: []lint.Related{{Message: what(e.Code) + " streamed here", Place: e.Code.Start.Place()}},
			})
		}
	})}
}

// isUnwrapped reports whether a confirmation has the code that the streamed text is an
// object around: the interpreter unwraps it.
func isUnwrapped(c *lmc.Code, a *lmc.ConfirmationRequest) bool {
	return c != nil && c.Call != nil && !c.Edit && lmc.Canonical(c.Call.Language) == lmc.Canonical(a.Language) && c.Call.Text.Equal(&a.Text)
}

// mismatch returns how a confirmation differs from the code that it confirms, and the
// keys of its content of which one has the difference. The message is empty if it
// does not differ, or cannot be compared.
func mismatch(c *lmc.Code, a *lmc.ConfirmationRequest) (keys []string, message, help string) {
	switch {
	case c == nil, c.Role == "computer", !a.OK, a.Changed:
		return nil, "", ""
	case c.Edit:
		return editMismatch(c, a)
	case lmc.Canonical(c.Language) != lmc.Canonical(a.Language):
		return []string{"format", "language"},
			fmt.Sprintf("confirmed language %s differs from the streamed %s", protocol.Quoted(a.Language), protocol.Quoted(c.Language)),
			"repeat the language of the streamed block in the confirmation"
	case !c.Text.Equal(&a.Text):
		return []string{"content", "code"}, "confirmed code differs from the streamed code",
			"repeat the streamed code exactly; the user confirms what is on the screen"
	}
	return nil, "", ""
}

// editMismatch is mismatch for an edit.
func editMismatch(c *lmc.Code, a *lmc.ConfirmationRequest) (keys []string, message, help string) {
	switch {
	case lmc.Canonical(c.Language) != lmc.Canonical(a.Language):
		return []string{"format"},
			fmt.Sprintf("confirmed tool %s differs from the streamed %s", protocol.Quoted(a.Language), protocol.Quoted(c.Language)),
			"repeat the format of the streamed edit in the confirmation"
	case !c.Text.Equal(&a.Text):
		return []string{"content"}, "confirmed edit differs from the streamed edit",
			"repeat the streamed edit exactly; the user confirms what is on the screen"
	case c.Target.Bytes > 0 && a.Target.Bytes > 0 && !c.Target.Equal(&a.Target):
		return []string{"target"}, "confirmed edit is of another file than the streamed edit",
			"repeat the target of the streamed edit in the confirmation"
	}
	return nil, "", ""
}

// what names what a confirmation asks about.
func what(c *lmc.Code) string {
	if c.Edit {
		return "edit"
	}
	return "code"
}

// askedPlace returns the place of the first of the keys that the content of a
// confirmation has.
func askedPlace(r *lmc.Record, keys ...string) source.Place {
	for _, key := range keys {
		if n := r.Content.Member(key); n != nil {
			return r.Source.PlaceOf(n)
		}
	}
	return r.PlaceOf("content")
}
