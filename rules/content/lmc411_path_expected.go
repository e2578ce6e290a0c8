package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var dataAsFile = lint.SeverityCase{Severity: lint.SeverityWarning, When: "file"}

var pathExpected = &lint.Rule{
	ID: "LMC411", Name: "path-expected",
	Summary: "A path is a data: URL or base64",
	Rationale: "Open Interpreter opens the path of an image when it builds the request for a vision model, and raises " +
		"FileNotFoundError if no file has that name, again at each attempt to continue. The path of a file it passes to the model as " +
		"text, which then contains all of the data.",
	Evidence: []string{
		"documentation, lmc-messages: the content of an image of format path is a path",
		"convert_to_openai_messages.py, convert_to_openai_messages(): opens the path; a path without a file ends in FileNotFoundError, in the server as well",
		"recordings list_with_images, ws_image_typed have real paths",
	},
	Requirements: []string{"LMC-CNT-7"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{dataAsFile},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "base64 of an image",
		Make:  func() string { return example.ImageMessage("path", example.OnePNG) },
		Edits: []string{`"path"`, `"base64.png"`},
		Want:  []string{"LMC411 1:65"},
	}, {
		Name: "a data: URL as a file",
		Input: `[{"role": "user", "type": "file", "content": "data:text/csv;base64,YSxiCjEsMgo="}]
`,
		Edits: []string{`"data:text/csv;base64,YSxiCjEsMgo="`, `"/tmp/table.csv"`},
		Want:  []string{"LMC411 1:46"},
	}},
	Good: []lint.Example{{
		Name: "paths",
		Input: `[{"role": "user", "type": "image", "format": "path", "content": "/home/user/plot.png"},
{"role": "user", "type": "file", "content": "/home/user/data.csv"}]
`,
	}, {
		Name: "base64 with the matching format",
		Make: func() string { return example.ImageMessage("base64.png", example.OnePNG) },
	}},
	New: newPathExpected,
}

func newPathExpected(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnText(lmc.Attachment, func(r *lmc.Record, b *lmc.Block) {
		if !protocol.HoldsPath(r) || b != nil && b.Type != "" && b.Contents > 1 {
			return
		}
		found := dataIn(r.Text())
		if found == "" {
			return
		}
		f := lint.Finding{
			Place:   r.Source.PlaceOf(r.Content),
			Cause:   found,
			Message: fmt.Sprintf("content of %s is %s, expected a path", protocol.RecordName(r), found),
			Help:    `write "format": "base64.png" or "base64.jpeg" and the base64 alone, or store the image in a file and send its path`,
		}
		if r.Type == "file" {
			f.Severity, f.Help = dataAsFile.Severity, "store the data in a file and send its path"
		}
		p.Report(f)
	}, "file", "image")}
}

// dataIn names the data that is the content of a path, or returns "".
// Base64 of unknown data is distinguished from a path by its length, and by '=' or '+'.
func dataIn(text string) string {
	const long = 64 // bytes
	text = strings.TrimSpace(text)
	if strings.EqualFold(start(text, len("data:")), "data:") {
		return "a data: URL"
	}
	if kind := media.Begins(text); kind != media.Unknown && media.IsBase64(start(text, long)) {
		return fmt.Sprintf("base64 of an image (%s)", kind)
	}
	if len(text) >= long && len(text)%4 == 0 && strings.ContainsAny(text, "=+") && media.IsBase64(text) {
		return "base64"
	}
	return ""
}
