package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var joinedParts = &lint.Rule{
	ID: "LMC611", Name: "joined-parts", Since: "0.1",
	Summary: "Two parts of one kind follow each other in a user's message",
	Rationale: "The server adds a part to the message before if type and format are the same. Text can be joined. Two images, sounds " +
		"or files become one that nobody can read.",
	Evidence: []string{
		"recordings ws_two_images: the stored message holds both images in one broken base64",
		"async_core.py, accumulate()",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "two images in a row",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Compare:"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "a.png"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "b.png"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + replied + completed,
		Want: []string{"LMC611 4:26"},
	}},
	Good: []lint.Example{{
		Name: "text between two images",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "a.png"}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "and"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "b.png"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.JoinedParts, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: fmt.Sprintf("a second %s directly after the first: the server joins the two into one broken part", e.Record.Type),
				Help:    "send a message part between them, or each in a block of its own",
				Related: []lint.Related{{Message: "the first", Place: e.Last.Place()}},
			})
		}))
	},
}
