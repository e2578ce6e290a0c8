package content

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/media"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var imageFormatMismatch = &lint.Rule{
	ID: "LMC402", Name: "image-format-mismatch", Since: "0.1",
	Summary: "The bytes of an image are not of the kind that its format says",
	Rationale: "Open Interpreter makes the media type of the image from its format. A model's API that compares the two refuses the request, " +
		"and a client that saves the image gives the file a wrong ending.",
	Evidence: []string{
		"documents, lmc-messages: base64 and base64.png are PNG, base64.jpeg is JPEG",
		"recording py_execute_results of 0.1.17: a JPEG under the format base64",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a JPEG that is called PNG",
		Make: func() string { return example.ImageMessage("base64.png", example.OneJPEG) },
		Want: []string{"LMC402 1:71"},
	}, {
		Name: "no image at all",
		Make: func() string { return example.ImageMessage("base64.png", "SGVsbG8sIHdvcmxkIQ==") },
		Want: []string{"LMC402 1:71"},
	}},
	Good: []lint.Example{{
		Name: "a JPEG",
		Make: func() string { return example.ImageMessage("base64.jpeg", example.OneJPEG) },
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Content|lmc.Attachment, func(e *lmc.Event) {
			image := protocol.StateOf(p).Images.At(e)
			r := image.Record
			if r == nil || !image.Begins || image.Open {
				return
			}
			if image.Fault.Kind != media.Sound && image.Fault.Kind != media.Trailing {
				return
			}
			says := media.Named(r.Format)
			if says == media.Unknown || says == image.Kind || e.Kind == lmc.Content && r.Text() == "" {
				return
			}
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOf(r.Content),
				Message: mismatchWords(r.Format, says, image),
				Help:    mismatchHelp(says, image.Kind),
			})
		}))
	},
}

// mismatchWords says what an image is and what it should be.
func mismatchWords(format string, says media.Kind, image *protocol.ImageScan) string {
	switch {
	case image.Kind != media.Unknown:
		return fmt.Sprintf("the content is %s, but the format %s says %s", image.Kind, format, says)
	case len(image.Head) == 0:
		return fmt.Sprintf("the content is empty, but the format %s says %s", format, says)
	}
	return fmt.Sprintf("the content is no %s image as the format %s says; it begins with the bytes %s",
		says, format, protocol.Quoted(string(image.Head)))
}

func mismatchHelp(says, found media.Kind) string {
	switch found {
	case media.PNG:
		return `write "format": "base64.png", or convert the image`
	case media.JPEG:
		return `write "format": "base64.jpeg", or convert the image`
	case media.Unknown:
		return fmt.Sprintf("store the bytes of a whole %s file in base64", says)
	}
	return fmt.Sprintf("convert the image to %s", says)
}
