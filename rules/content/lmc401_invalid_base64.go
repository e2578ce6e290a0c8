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

var base64InLines = lint.SeverityCase{Severity: lint.SeverityWarning, When: "base64 with line breaks"}

var invalidBase64 = &lint.Rule{
	ID: "LMC401", Name: "invalid-base64",
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
		Name:  "an invalid character",
		Make:  func() string { return example.ImageMessage("base64.png", "iVBORw0KGgo*AAAN") },
		Edits: []string{`"iVBORw0KGgo*AAAN"`, `"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII="`},
		Want:  []string{"LMC401 1:83"},
	}, {
		Name:  "a data: URL",
		Make:  func() string { return example.ImageMessage("base64.png", "data:image/png;base64,"+example.OnePNG) },
		Edits: []string{`"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA`, `"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA`},
		Want:  []string{"LMC401 1:72"},
	}, {
		Name:  "the URL-safe alphabet",
		Make:  func() string { return example.ImageMessage("base64.jpeg", "_9j_2wBDAAEB") },
		Edits: []string{`"_9j_2wBDAAEB"`, `"/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"`},
		Want:  []string{"LMC401 1:73"},
	}, {
		Name: "base64 with line breaks",
		Make: func() string {
			return example.ImageMessage("base64.png", example.OnePNG[:76]+`\n`+example.OnePNG[76:])
		},
		Edits: []string{example.OnePNG[70:76] + `\n`, example.OnePNG[70:76]},
		Want:  []string{"LMC401 1:148"},
	}, {
		Name:  "text instead of an image",
		Make:  func() string { return example.ImageMessage("base64.png", "The image shows a red square.") },
		Edits: []string{`"The image shows a red square."`, `"` + example.OnePNG + `"`},
		Want:  []string{"LMC401 1:100"},
	}, {
		Name:  "a missing '='",
		Make:  func() string { return example.ImageBlock("png", strings.TrimRight(example.OnePNG, "=")) },
		Edits: []string{`e4F9gAAAAASUVORK5CYII"`, `e4F9gAAAAASUVORK5CYII="`},
		Want:  []string{"LMC401 2:169"},
	}},
	Good: []lint.Example{{
		Name: "an image in a stream",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("png", example.OnePNG) + example.Executed
		},
	}, {
		Name: "a line feed at the end",
		Make: func() string { return example.ImageMessage("base64.png", example.OnePNG+`\n`) },
	}},
	New: newInvalidBase64,
}

func newInvalidBase64(p *lint.Pass) []lint.Hook {
	reportShort := func() {
		if short := protocol.StateOf(p).Image.Short; short != nil && short.Missing > 0 { // LMC410 reports images that end in complete base64
			message := "truncated base64: one character in the last group of four"
			if short.Missing <= 2 {
				message = fmt.Sprintf("truncated base64, or missing padding %s", protocol.Quoted(strings.Repeat("=", short.Missing)))
			}
			p.Report(lint.Finding{
				Place:   short.Place,
				Message: message,
				Cause:   "truncated",
				Help:    "store the complete base64, with '=' to fill its last group of four characters",
			})
		}
	}
	return []lint.Hook{protocol.On(lmc.Closed, func(*lmc.ClosedEvent) { reportShort() }), protocol.On(lmc.Content|lmc.Attachment, func(e *lmc.ContentEvent) {
		reportShort()
		image := protocol.StateOf(p).Image
		r, fault := e.Record, image.Fault
		if !image.IsImage {
			return
		}
		isValid := (fault.Kind == media.Sound || fault.Kind == media.Trailing) && !image.Open
		switch white := r.Text()[image.Space.At:image.Space.End]; {
		case white == "", image.Kind == media.Unknown: // text, which is reported as that
		case isValid, strings.ContainsAny(white, "\r\n"): // else a character may be missing there
			p.Report(lint.Finding{
				Severity: base64InLines.Severity,
				Place:    r.Source.PlaceIn(r.Content, image.Space.At, image.Space.End),
				Message:  "whitespace inside base64 data",
				Help:     "encode without line breaks: base64.b64encode instead of base64.encodebytes",
			})
		}
		if fault.Kind == media.Sound || fault.Kind == media.Trailing {
			return
		}
		f := lint.Finding{Place: r.Source.PlaceIn(r.Content, fault.At, fault.End), Cause: "invalid character"}
		switch found := protocol.Quoted(r.Text()[fault.At:fault.End]); fault.Kind {
		case media.DataURL:
			f.Message, f.Help, f.Cause = "content is a data: URL, expected base64", "remove "+found, ""
		case media.URLSafe:
			f.Cause = "URL-safe alphabet"
			f.Message = fmt.Sprintf("character %s of the URL-safe alphabet, expected '+' or '/'", found)
			f.Help = "encode with the standard alphabet: base64.b64encode instead of base64.urlsafe_b64encode"
		case media.Padding:
			f.Cause = "padding"
			f.Message = "misplaced padding: '=' may only fill the last group of four characters"
			f.Help = "store the base64 as the encoder returns it"
		default:
			f.Message = "invalid base64 character " + found
			f.Help = `encode the image as base64; for a path, write "format": "path"`
		}
		if fault.At == len("b") && strings.HasPrefix(r.Text(), "b'") {
			f.Help = "write the text, not the bytes of Python: base64.b64encode(data).decode()"
		}
		p.Report(f)
	})}
}
