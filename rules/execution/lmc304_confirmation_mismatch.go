package execution

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
	"github.com/lmclint/lmclint/schema"
)

var confirmationMismatch = &lint.Rule{
	ID: "LMC304", Name: "confirmation-mismatch",
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
		Edits: []string{`"rm -r`, `"ls`},
		Want:  []string{"LMC304 4:127"},
	}, {
		Name: "a second confirmation, of other code",
		Input: example.ShellCode + example.Confirmed + `{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -rf /"}}
`,
		Edits: []string{`{"role": "computer", "type": "confirmation", "format": "execution", "content": {"type": "code", "format": "shell", "content": "rm -rf /"}}
`, ""},
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
	New: protocol.Report(lmc.Confirmation, findConfirmationMismatch),
}

func findConfirmationMismatch(p *lint.Pass, e *lmc.ConfirmationEvent) lint.Finding {
	s, c, a := protocol.StateOf(p), e.Code, e.Asked
	if !s.ComparesConfirmations() {
		return lint.Finding{}
	}
	if s.Dialect.StorageRules.Rewrites && c != nil && c.Call != nil && !c.Edit && lmc.Canonical(c.Call.Language) == lmc.Canonical(a.Language) && c.Call.Text.Equal(&a.Text) {
		return lint.Finding{} // the interpreter unwraps code that the streamed text is an object around
	}
	if n, message, help := mismatch(s.Dialect, e); n != nil {
		return lint.Finding{
			Place: e.Record.Source.PlaceOf(n), Message: message, Help: help, Cause: n.Name,
			Related: []lint.Related{{Message: what(c.Edit) + " streamed here", Place: c.Start.Place()}},
		}
	}
	return lint.Finding{}
}

// mismatch returns the value in the content of a confirmation that differs from the
// code that it confirms, and how. The value is nil if none differs, or if they cannot be
// compared.
func mismatch(d *schema.Dialect, e *lmc.ConfirmationEvent) (n *source.Node, message, help string) {
	c, a := e.Code, e.Asked
	if c == nil || c.Role == "computer" || !a.OK || a.Changed {
		return nil, "", ""
	}
	language, code := lmc.AskedCode(e.Record.Content)
	isOther := lmc.Canonical(c.Language) != lmc.Canonical(a.Language)
	if _, _, ok := d.Language(c.Language); !ok && !c.Edit {
		isOther = false // LMC118 reports the streamed one
	}
	switch {
	case isOther && c.Edit:
		return language, fmt.Sprintf("confirmed tool %s differs from the streamed %s", protocol.Quoted(a.Language), protocol.Quoted(c.Language)),
			"repeat the format of the streamed edit in the confirmation"
	case isOther:
		return language, fmt.Sprintf("confirmed language %s differs from the streamed %s", protocol.Quoted(a.Language), protocol.Quoted(c.Language)),
			"repeat the language of the streamed block in the confirmation"
	case !c.Has(&a.Text):
		return code, fmt.Sprintf("confirmed %[1]s differs from the streamed %[1]s", what(c.Edit)),
			fmt.Sprintf("repeat the streamed %s exactly; the user confirms what is on the screen", what(c.Edit))
	case c.Edit && c.Target.Bytes > 0 && a.Target.Bytes > 0 && !c.Target.Equal(&a.Target):
		return e.Record.Content.Member("target"), "confirmed edit is of another file than the streamed edit", "repeat the target of the streamed edit in the confirmation"
	}
	return nil, "", ""
}

// what names what a confirmation asks about.
func what(isEdit bool) string {
	if isEdit {
		return "edit"
	}
	return "code"
}
