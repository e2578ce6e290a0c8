package content

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

// cutPNG and cutJPEG are valid base64 of images that lack their last bytes.
var (
	cutPNG  = example.OnePNG[:len(example.OnePNG)-16]
	cutJPEG = example.OneJPEG[:len(example.OneJPEG)-4]
)

var truncatedImage = &lint.Rule{
	ID: "LMC410", Name: "truncated-image",
	Summary: "An image's data ends before the end of the image",
	Rationale: "The rest of the image is lost: the base64 is valid, but the image in it has no end (the IEND chunk of PNG, " +
		"the EOI marker of JPEG). Open Interpreter passes the data on unchanged, so that its terminal writes a broken image " +
		"file and the request to the model contains a broken image; viewers and APIs show a part of it or refuse it. Not reported for the other " +
		"formats, nor in a block that has no end flag.",
	Evidence: []string{
		"PNG, third edition, section 5.6: IEND is the last chunk; ITU-T T.81, B.2.1: EOI ends the image",
		"documentation, lmc-messages: the content of an image is the image, encoded as base64",
		"recordings: all streamed images that were not joined to other output end with IEND or EOI",
	},
	Requirements: []string{"LMC-CNT-3"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "a PNG that lost its end",
		Make:  func() string { return example.ImageMessage("base64.png", cutPNG) },
		Edits: []string{`e4F9gA"`, `e4F9gAAAAASUVORK5CYII="`},
		Want:  []string{"LMC410 1:151"},
	}, {
		Name: "a JPEG that lost its end, in a stream",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("jpeg", cutJPEG) + example.Executed
		},
		Edits: []string{`"/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8A"`, `"/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"`},
		Want:  []string{"LMC410 6:259"},
	}},
	Good: []lint.Example{{
		Name: "a complete image",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("jpeg", example.OneJPEG) + example.Executed
		},
	}},
	New: newTruncatedImage,
}

func newTruncatedImage(p *lint.Pass) []lint.Hook {
	return append(protocol.Report(lmc.Content|lmc.Attachment, findTruncatedImage)(p), protocol.Report(lmc.Closed, findTruncatedImage)(p)...)
}

func findTruncatedImage[E any](p *lint.Pass, _ *E) lint.Finding {
	short := protocol.StateOf(p).Image.Short
	if short == nil || short.Missing > 0 {
		return lint.Finding{}
	}
	end := "its IEND chunk"
	if short.Kind == media.JPEG {
		end = "its EOI marker"
	}
	return lint.Finding{
		Place:   short.Place,
		Message: fmt.Sprintf("the %s image ends before %s", short.Kind, end),
		Help:    "encode the complete file as base64, and send it in one chunk",
	}
}
