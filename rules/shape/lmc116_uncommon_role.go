package shape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

// What is a warning: only the computer approves and reports an execution, and only one
// side of a session sends a role.
var (
	execution = lint.SeverityCase{Severity: lint.SeverityWarning, When: "confirmation or console block"}
	wrongSide = lint.SeverityCase{Severity: lint.SeverityWarning, When: "frame in the role of the other side"}
)

var uncommonRole = &lint.Rule{
	ID: "LMC116", Name: "uncommon-role",
	Summary: "A role sends a type or format that it does not usually send",
	Rationale: "Any role may send any type, and a stream with such a role is displayed. But only the computer asks for approval and reports what ran, so that a confirmation or console " +
		"block of another role describes an execution that the computer did not do. Open Interpreter passes a stored message of the computer to the model's API with the role computer, " +
		"treats the user's code as a call of the assistant, and runs the last message of a conversation if it is code of any role, also if a client of the server sent it. In a session, the role or " +
		"the direction of a frame in the role of the other side is wrong; devices of OpenInterpreter/01 do send the output of their own computer.",
	Evidence: []string{
		"documentation, lmc-messages: the common roles of each type and format; any role may produce any of them",
		"documentation, streaming-response: the role of a chunk is assistant or computer",
		"endolith/open-interpreter, pull request 238: the role computer reached a model's API",
		"wild: alarms as messages of the computer in saved conversations of OpenInterpreter/01",
	},
	Requirements: []string{"LMC-VOC-4"},
	Severity:     lint.SeverityNote, Severities: []lint.SeverityCase{execution, wrongSide},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a message of the computer",
		Input: `[{"role": "user", "type": "message", "content": "Wake me at ten"},
 {"role": "computer", "type": "message", "content": "Your 10:00 alarm has gone off."}]
`,
		Want: []string{"LMC116 2:11"},
	}, {
		Name: "Python of the computer; only HTML and JavaScript come from code that runs",
		Input: `[{"role": "user", "type": "message", "content": "What is 34 / 24?"},
 {"role": "computer", "type": "code", "format": "python", "content": "34 / 24"},
 {"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667"}]
`,
		Want: []string{"LMC116 2:11"},
	}, {
		Name:  "a confirmation that the assistant sends",
		Input: example.ShellCode + strings.Replace(example.Confirmed, "computer", "assistant", 1) + example.Executed,
		Edits: []string{`{"role": "assistant", "type": "con`, `{"role": "computer", "type": "con`},
		Want:  []string{"LMC116 4:10"},
	}, {
		Name:   "a user chunk in a stream, in the dialect docs",
		Config: lint.Config{Dialect: "docs"},
		Input: `{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "Hi"}
{"role": "user", "type": "message", "end": true}
`,
		Want: []string{"LMC116 1:10"},
	}},
	Good: []lint.Example{{
		Name:  "usual roles",
		Input: codeTranscript,
	}},
	New: newUncommonRole,
}

func newUncommonRole(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	whole := lmc.Frame
	if s.Transcript {
		whole = lmc.Shape
	}
	// An open block with an uncommon role is reported when it ends with content: a block
	// without content is a mistake of another kind.
	block, opened := 0, lint.Finding{}
	check := func(r *lmc.Record) {
		if usual := s.UsualRoles(r); len(usual) > 0 {
			p.Report(roleFinding(s, r, usual))
		}
	}
	return []lint.Hook{
		protocol.On(lmc.Opened, func(e *lmc.OpenedEvent) {
			block = 0 // the finding, which is large, is not used then
			if usual := s.UsualRoles(e.Record); len(usual) > 0 {
				block, opened = e.Block.Number, roleFinding(s, e.Record, usual)
			}
		}),
		protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) {
			if e.Block.Number == block && e.Block.Contents > 0 {
				p.Report(opened)
			}
		}),
		protocol.On(whole, check),
		protocol.On(lmc.Confirmation, func(e *lmc.ConfirmationEvent) { check(e.Record) }),
		protocol.On(lmc.Content, func(e *lmc.ContentEvent) {
			if e.Block.Sent && e.Block.Type == "" { // each part has its own type
				check(e.Record)
			}
		}),
		protocol.On(session.RoleFromWrongSide, func(r *lmc.Record) {
			f := lint.Finding{Place: r.PlaceOf("role"), Severity: wrongSide.Severity}
			if s.Dialect.ClientRuns {
				f.Severity = lint.SeverityNote
			}
			f.Message = fmt.Sprintf("the server sends a frame with role %s", protocol.Word(r.Role))
			f.Help = "check the logged direction; a server sends assistant, computer and server"
			if r.Source.Direction == source.Sent {
				f.Message = fmt.Sprintf("the client sends a frame with role %s", protocol.Word(r.Role))
				f.Help = "send the whole message as user; the server stores it in the user's history"
				if r.Type == "code" {
					f.Help = "ask for the code in a message of the user; the server stores this as the assistant's, and go runs it"
				} else if r.Type == "" && r.Role == "assistant" {
					f.Help = "send it as user, in a block with an end, and ask for code in its text; the server stores it as the model's, and go runs its code"
				}
			}
			p.Report(f)
		}),
	}
}

// roleFinding returns the finding about a role that does not usually send the
// type, or only not in this format.
func roleFinding(s *protocol.State, r *lmc.Record, usual []string) lint.Finding {
	t, ok := s.Dialect.Type(r.Type)
	if ok && slices.Equal(t.Roles, []string{"computer"}) && !s.Transcript {
		return lint.Finding{
			Place:    r.PlaceOf("role"),
			Message:  fmt.Sprintf("role %s sends type %s; only the computer approves and reports executions", r.Role, r.Type),
			Help:     "send it as computer if the computer did it; remove it otherwise",
			Severity: execution.Severity,
		}
	}
	if s.Dialect.StrictRoles && !s.Transcript && r.Role == "user" && ok && !slices.ContainsFunc(usual, func(role string) bool { return slices.Contains(s.Dialect.RolesFor(t, r.Format), role) }) {
		usual = nil // the type is the user's
	}
	sent := "type " + r.Type
	if ok && t.HasRole(r.Role) {
		sent = lmc.Name("", r.Type, r.Format)
	}
	help := "remove it; the documented streams are those of the assistant and the computer"
	if len(usual) > 0 {
		help = fmt.Sprintf("send %s from %s", sent, protocol.AnyOf(usual))
	}
	return lint.Finding{Place: r.PlaceOf("role"), Message: fmt.Sprintf("role %s does not usually send %s", r.Role, sent), Help: help}
}
