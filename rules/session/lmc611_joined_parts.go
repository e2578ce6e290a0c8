package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var joinedParts = &lint.Rule{
	ID: "LMC611", Name: "joined-parts",
	Summary: "Consecutive image, audio or file parts have the same type and format",
	Rationale: "The server appends a part to the previous part if type and format are the same. Two images, sounds or files " +
		"become one invalid part; for images the server fails now and at the next request (No such file or directory: 'a.pngb.png'). " +
		"Texts are joined, too, without a space, and not reported.",
	Evidence: []string{
		"recordings ws_two_images: the stored message contains both images as one invalid base64 string",
		"async_core.py, accumulate(): adds content to a message of the same type and format",
	},
	Requirements: []string{"LMC-SES-11"},
	Severity:     lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name: "two images in a row",
		Input: `{"dir": "send", "frame": {"role": "user", "start": true}}
{"dir": "send", "frame": {"role": "user", "type": "message", "content": "Compare:"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "a.png"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "b.png"}}
{"dir": "send", "frame": {"role": "user", "end": true}}
` + replied + completed,
		Edits: []string{`{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "b.png"}}
`, `{"dir": "send", "frame": {"role": "user", "type": "message", "content": "with"}}
{"dir": "send", "frame": {"role": "user", "type": "image", "format": "path", "content": "b.png"}}
`},
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
	New: protocol.Report(session.JoinedParts, reportJoinedParts),
}

func reportJoinedParts(_ *lint.Pass, e *session.JoinedPart) lint.Finding {
	return lint.Finding{
		Place:   e.Record.Place(),
		Message: fmt.Sprintf("consecutive %s parts; the server merges them into one invalid part", e.Record.Type),
		Help:    "send a message part between them, or each in its own block",
		Related: []lint.Related{{Message: "first part", Place: e.First.Place()}},
	}
}
