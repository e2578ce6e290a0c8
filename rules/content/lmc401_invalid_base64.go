package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/media"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var base64InLines = lint.SeverityCase{Severity: lint.SeverityWarning, When: "base64 with line breaks"}

var invalidBase64 = &lint.Rule{
	ID: "LMC401", Name: "invalid-base64", Since: "0.1",
	Summary: "An image's content is not valid base64",
	Rationale: "Open Interpreter's terminal decodes the image and raises binascii.Error if padding is missing, which aborts " +
		"the response; a browser's atob fails at invalid characters. The content is sent to a vision model unchanged. Base64 in lines is a warning: " +
		"lenient decoders and atob accept it, strict ones do not.",
	Evidence: []string{
		"documentation, lmc-messages: the content of an image of format base64 is base64",
		"RFC 4648, sections 3 and 4: the alphabet, the padding, no line feeds",
		"recordings: 84 streamed images, all base64, with a line feed at the end at most",
	},
	Requirements: []string{"LMC-CNT-1"},
	Severity:     lint.SeverityError, Severities: []lint.SeverityCase{base64InLines},
	Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "an invalid character",
		Make: func() string { return example.ImageMessage("base64.png", "iVBORw0KGgo*AAAN") },
		Want: []string{"LMC401 1:83"},
	}, {
		Name: "a data: URL",
		Make: func() string { return example.ImageMessage("base64.png", "data:image/png;base64,"+example.OnePNG) },
		Want: []string{"LMC401 1:72"},
	}, {
		Name: "the URL-safe alphabet",
		Make: func() string { return example.ImageMessage("base64.jpeg", "_9j_2wBDAAEB") },
		Want: []string{"LMC401 1:73"},
	}, {
		Name: "base64 with line breaks",
		Make: func() string { return example.ImageMessage("base64.png", `iVBORw0KGgoA\nAAANSUhEUgAA`) },
		Want: []string{"LMC401 1:84"},
	}, {
		Name: "a missing '='",
		Make: func() string { return example.ImageBlock(strings.TrimRight(example.OnePNG, "=")) },
		Want: []string{"LMC401 2:169"},
	}},
	Good: []lint.Example{{
		Name: "an image in a stream",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock(example.OnePNG) + example.Executed
		},
	}, {
		Name: "a line feed at the end",
		Make: func() string { return example.ImageMessage("base64.png", example.OnePNG+`\n`) },
	}},
	New: newInvalidBase64,
}

func newInvalidBase64(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.Content|lmc.Attachment|lmc.Closed, func(e *lmc.Event) {
		image := protocol.StateOf(p).Images.At(e)
		if image.Short != nil && image.Short.Missing > 0 { // LMC410 reports images that end in complete base64
			p.Report(lint.Finding{
				Place:   image.Short.Place,
				Message: shortWords(image.Short.Missing),
				Help:    "store the complete base64, with '=' to fill its last group of four characters",
			})
		}
		r, fault := e.Record, image.Fault
		if !image.IsImage || fault.Kind == media.Sound || fault.Kind == media.Trailing {
			return
		}
		message, help := faultWords(fault.Kind, r.Text()[fault.At:fault.End])
		if fault.At == len("b") && strings.HasPrefix(r.Text(), "b'") {
			help = "write the text, not the bytes of Python: base64.b64encode(data).decode()"
		}
		finding := lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, fault.At, fault.End),
			Message: message,
			Help:    help,
		}
		if fault.Kind == media.WhiteSpace {
			finding.Severity = base64InLines.Severity
		}
		p.Report(finding)
	})}
}

// faultWords returns the message and the help for invalid base64.
func faultWords(kind media.FaultKind, found string) (message, help string) {
	switch kind {
	case media.DataURL:
		return "content is a data: URL, expected base64", fmt.Sprintf("remove %s", protocol.Quoted(found))
	case media.URLSafe:
		return fmt.Sprintf("character %s of the URL-safe alphabet, expected '+' or '/'", protocol.Quoted(found)),
			"encode with the standard alphabet: base64.b64encode instead of base64.urlsafe_b64encode"
	case media.WhiteSpace:
		return "whitespace inside base64 data",
			"encode without line breaks: base64.b64encode instead of base64.encodebytes"
	case media.Padding:
		return "misplaced padding: '=' may only fill the last group of four characters",
			"store the base64 as the encoder returns it"
	}
	return fmt.Sprintf("invalid base64 character %s", protocol.Quoted(found)),
		`encode the image as base64; for a path, write "format": "path"`
}

// shortWords returns the message for truncated base64. Missing is how many
// characters its last group of four lacks.
func shortWords(missing int) string {
	if missing > 2 {
		return "truncated base64: one character in the last group of four"
	}
	return fmt.Sprintf("truncated base64, or missing padding %s", protocol.Quoted(strings.Repeat("=", missing)))
}
