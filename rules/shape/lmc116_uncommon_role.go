package shape

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var uncommonRole = &lint.Rule{
	ID: "LMC116", Name: "uncommon-role", Since: "0.1",
	Summary: "A role sends what it does not usually send",
	Rationale: "It is legal: any role may send any type. But consumers are written for the usual pairs: they pass others over, or " +
		"hand a message of the computer on to a model that knows no such role. In a session a frame in the role of the other side is a " +
		"warning: its role or its direction is wrong.",
	Evidence: []string{
		"documents, lmc-messages: the common roles of each type; any role may produce any of them",
		"documents, streaming-response: the role of a chunk is assistant or computer",
		"endolith/open-interpreter, pull request 238: the role computer reached a model's API",
		"wild: alarms as messages of the computer in saved conversations of OpenInterpreter/01",
	},
	Severity: lint.SeverityNote, Inputs: lint.AnyInput, Protocol: protocol.LMC{}, ShapeOnly: lint.Mask(lmc.Opened | lmc.Message),
	Bad: []lint.Example{{
		Name: "a message from the computer",
		Input: `[{"role": "user", "type": "message", "content": "Wake me at ten"},
 {"role": "computer", "type": "message", "content": "Your 10:00 alarm has gone off."}]
`,
		Want: []string{"LMC116 2:11"},
	}, {
		Name:    "a user in a stream, by the documents",
		Dialect: "docs",
		Input: `{"role": "user", "type": "message", "start": true}
{"role": "user", "type": "message", "content": "Hi"}
{"role": "user", "type": "message", "end": true}
`,
		Want: []string{"LMC116 1:10"},
	}},
	Good: []lint.Example{{
		Name: "each role sends what it usually sends",
		Input: `[{"role": "user", "type": "message", "content": "What's 34/24?"},
 {"role": "assistant", "type": "code", "format": "python", "content": "34 / 24"},
 {"role": "computer", "type": "console", "format": "output", "content": "1.4166666666666667"}]
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		s := protocol.StateOf(p)
		var opened roleOpened
		alone := func(e *lmc.Event) {
			if expected := s.UsualRoles(e.Record); len(expected) > 0 {
				p.Report(roleFinding(e.Record.Role, e.Record.Type, expected, e.Record.PlaceOf("role")))
			}
		}
		return protocol.StatefulHooks(
			func() { opened = roleOpened{} },
			protocol.On(lmc.Opened, func(e *lmc.Event) {
				opened = roleOpened{e.Block.Number, s.UsualRoles(e.Record), e.Record.PlaceOf("role")}
			}),
			protocol.On(lmc.Closed, func(e *lmc.Event) {
				if e.Block.Number == opened.block && len(opened.expected) > 0 && e.Block.Contents > 0 {
					p.Report(roleFinding(e.Block.Role, e.Block.Type, opened.expected, opened.place))
				}
			}),
			protocol.On(lmc.Confirmation|lmc.Frame|lmc.Message, alone),
			protocol.On(lmc.Content, func(e *lmc.Event) {
				if e.Sent && e.Block.Type == "" { // each part has a type of its own
					alone(e)
				}
			}),
			protocol.On(lmc.RoleFromWrongSide, func(e *lmc.Event) { p.Report(misdirected(s, e)) }),
		)
	},
}

// roleOpened is a block whose role waits for a content that confirms it: a
// start that no content follows has a mistake of another kind.
type roleOpened struct {
	block    int // its number
	expected []string
	place    source.Place
}

func roleFinding(role, typ string, expected []string, place source.Place) lint.Finding {
	return lint.Finding{
		Place:   place,
		Message: fmt.Sprintf("%s from role %s is uncommon", typ, role),
		Help:    fmt.Sprintf("%s usually comes from %s; consumers may pass this one over", typ, protocol.AnyOf(expected)),
	}
}

// misdirected is the finding about a frame from the side of a session that
// does not speak in its role: one of the two is not what was sent.
//
// Devices of 01, whose server closes no response, send what their computer puts
// out, which is as good as common there.
func misdirected(s *protocol.State, e *lmc.Event) lint.Finding {
	severity := lint.SeverityNote
	if s.Dialect.Completes {
		severity = lint.SeverityWarning
	}
	message, help := "the client sends a frame of role %s", "the client speaks as user; the server stores what it says as the user's history"
	if !e.Sent {
		message, help = "the server sends a frame of role %s", "the server speaks as assistant, computer and server; was the direction logged wrongly?"
	}
	return lint.Finding{Severity: severity, Place: e.Record.PlaceOf("role"), Message: fmt.Sprintf(message, protocol.Word(e.Record.Role)), Help: help}
}
