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

var invalidBase64 = &lint.Rule{
	ID: "LMC401", Name: "invalid-base64", Since: "0.1",
	Summary: "The content of an image is not base64",
	Rationale: "Open Interpreter puts the content into a data: URL as it is and sends it to the model. A model's API refuses the whole " +
		"request when the base64 is broken, and so the conversation cannot go on. Some decoders skip what they do not know and show a damaged image.",
	Evidence: []string{
		"documents, lmc-messages: the content of an image of format base64 is base64",
		"RFC 4648, sections 3 and 4: the alphabet, the padding, no line feeds",
		"recordings: 84 streamed images, all base64, with a line feed at the end at most",
	},
	Severity: lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "a character that base64 does not have",
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
		Name: "base64 in lines",
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
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Content|lmc.Attachment|lmc.Closed, func(e *lmc.Event) {
			image := protocol.StateOf(p).Images.At(e)
			if image.Short != nil {
				p.Report(lint.Finding{
					Place:   image.Short.Place,
					Message: shortWords(image.Short.Missing),
					Help:    "store the base64 to its end, with the '=' that fill its last group of four characters",
				})
			}
			r, fault := image.Record, image.Fault
			if r == nil || fault.Kind == media.Sound || fault.Kind == media.Trailing {
				return
			}
			message, help := faultWords(fault.Kind, r.Text()[fault.At:fault.End])
			p.Report(lint.Finding{
				Place:   r.Source.PlaceIn(r.Content, fault.At, fault.End),
				Message: message,
				Help:    help,
			})
		}))
	},
}

// faultWords says what is wrong with base64, and what to do.
func faultWords(kind media.FaultKind, found string) (message, help string) {
	switch kind {
	case media.DataURL:
		return "the content is a data: URL and not base64 alone", fmt.Sprintf("leave out %s", protocol.Quoted(found))
	case media.URLSafe:
		return fmt.Sprintf("%s is of the URL-safe alphabet; base64 has '+' and '/' for '-' and '_'", protocol.Quoted(found)),
			"encode with the standard alphabet: base64.b64encode and not base64.urlsafe_b64encode"
	case media.WhiteSpace:
		return "white space inside the base64; only its end may have some",
			"encode without line breaks: base64.b64encode and not base64.encodebytes"
	case media.Padding:
		return "padding is misplaced: '=' only fills the last group of four characters",
			"store the base64 just as the encoder returns it"
	}
	return fmt.Sprintf("%s is no base64 character", protocol.Quoted(found)),
		`store the image's bytes in base64; a path has the format "path"`
}

// shortWords says that base64 is over too early.
func shortWords(missing int) string {
	if missing > 2 {
		return "the base64 is cut short: one character is left over in its last group of four"
	}
	return fmt.Sprintf("the base64 is cut short, or %s is missing at its end", protocol.Quoted(strings.Repeat("=", missing)))
}
