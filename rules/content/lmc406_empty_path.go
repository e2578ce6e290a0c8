package content

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var emptyFilePath = lint.SeverityCase{Severity: lint.SeverityWarning, When: "file"}

var emptyPath = &lint.Rule{
	ID: "LMC406", Name: "empty-path",
	Summary: "An image path or file path is empty",
	Rationale: "Open Interpreter opens the path of an image when it builds the request for a vision model. An empty path raises " +
		"FileNotFoundError there, and again at the next request, over the WebSocket as well. An empty path of a file is a warning: it is an empty message to the model.",
	Evidence: []string{
		"documentation, lmc-messages: the content of an image of format path is a path",
		"convert_to_openai_messages.py, convert_to_openai_messages(): opens the path; recordings list_with_images, ws_image_typed have real paths",
	},
	Requirements: []string{"LMC-CNT-6"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{emptyFilePath},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "an empty image path",
		Input: `[{"role": "user", "type": "image", "format": "path", "content": ""}]` + "\n",
		Edits: []string{`""`, `"/tmp/plot.png"`},
		Want:  []string{"LMC406 1:65"},
	}},
	Good: []lint.Example{{
		Name: "paths",
		Input: `[{"role": "user", "type": "image", "format": "path", "content": "/home/user/plot.png"},
{"role": "user", "type": "file", "content": "/home/user/data.csv"}]
`,
	}},
	New: newEmptyPath,
}

func newEmptyPath(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnText(lmc.Attachment, func(r *lmc.Record, _ *lmc.Block) {
		if !protocol.HoldsPath(r) || !r.Blank() {
			return
		}
		f := lint.Finding{
			Place:   r.Source.PlaceOf(r.Content),
			Message: fmt.Sprintf("%s path is empty", protocol.RecordName(r)),
			Help:    "store the path of the file, or remove the message",
		}
		if r.Type == "file" {
			f.Severity = emptyFilePath.Severity
		}
		p.Report(f)
	}, "file", "image")}
}
