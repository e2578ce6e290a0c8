package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var dataAfterImage = &lint.Rule{
	ID: "LMC403", Name: "data-after-image",
	Summary: "An image's content continues after the end of the image",
	Rationale: "The content is one image. Lenient decoders show the first image and drop the rest; strict ones and a " +
		"browser's atob reject the whole content. After data without padding, Open Interpreter's terminal raises an error and aborts the response.",
	Evidence: []string{
		"recordings py_two_images, py_two_displays, ws_two_images: the base64 of two images is joined in one message",
		"recordings py_image_mid, py_plot up to 0.3.4: console output is joined to the image before it",
		"a fork's notes: two images in one message become one corrupt image",
	},
	Requirements: []string{"LMC-CNT-3"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "two images",
		Make: func() string { return example.ImageMessage("base64.png", example.OnePNG+`\n`+example.OnePNG+`\n`) },
		Want: []string{"LMC403 1:170"},
	}, {
		Name:  "console output after the image",
		Make:  func() string { return example.ImageMessage("base64.png", example.OnePNG+`\nafter plot\n`) },
		Edits: []string{`\nafter plot\n"`, `"`},
		Want:  []string{"LMC403 1:170"},
	}, {
		Name:  "text after an image without padding",
		Make:  func() string { return example.ImageMessage("base64.jpeg", example.OneJPEG+"done") },
		Edits: []string{`"/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Zdone"`, `"/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"`},
		Want:  []string{"LMC403 1:261"},
	}},
	Good: []lint.Example{{
		Name: "an image and what was printed after it",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "plt.show()\nprint('after plot')"},
{"role": "computer", "type": "image", "format": "base64.png", "content": "` + example.OnePNG + `\n"},
{"role": "computer", "type": "console", "format": "output", "content": "after plot\n"}]
`,
	}},
	New: protocol.Report(lmc.Content|lmc.Attachment, findDataAfterImage),
}

func findDataAfterImage(p *lint.Pass, e *lmc.ContentEvent) lint.Finding {
	image := protocol.StateOf(p).Image
	r, fault := e.Record, image.Fault
	if !image.IsImage || fault.Kind != media.Trailing {
		return lint.Finding{}
	}
	f := lint.Finding{Place: r.Source.PlaceIn(r.Content, fault.At, fault.End), Fix: splitImages(protocol.StateOf(p), e, fault.At)}
	switch {
	case fault.Next != media.Unknown:
		f.Message = fmt.Sprintf("a second image (%s) follows the end of the first", fault.Next)
		f.Help = "store each image in its own message"
	case fault.Text:
		rest := start(r.Text()[fault.At:], 200) // more than a message shows
		f.Cause = "text"
		f.Message = fmt.Sprintf("text after the end of the image: %s", protocol.Quoted(strings.TrimSpace(rest)))
		f.Help = "store the output in its own console message"
	case fault.Padded:
		f.Message, f.Help = "base64 data continues after its padding", "end the content where the base64 of the image ends"
	default:
		f.Message, f.Help = fmt.Sprintf("data after the end of the %s image", image.Kind), "end the content where the image ends"
	}
	return f
}

// splitImages returns the fix that moves a second image to a message or a block
// of its own. At is its offset in the content.
func splitImages(s *protocol.State, e *lmc.ContentEvent, at int) *lint.Fix {
	r, content := e.Record, e.Record.Content
	text := r.Text()
	if media.Begins(text[at:]) == media.Unknown {
		return nil
	}
	var second []fix.Member
	for i := range r.Root.Children {
		switch n := &r.Root.Children[i]; n.Name {
		case "content":
			second = append(second, fix.Member{Name: n.Name, Value: text[at:]})
		case "id":
		default:
			second = append(second, fix.Member{Name: n.Name, Value: fix.Raw(n.Raw())})
		}
	}
	edits := fix.RemoveText(r.Source, content, at, len(text))
	if e.Block != nil {
		end, start := protocol.EndOf(s.Dialect, e.Block), protocol.StartOf(s.Dialect, r)
		if end == nil || start == nil {
			return nil
		}
		edits = append(append(edits, fix.InsertAfter(r.Source, end...)...), fix.InsertAfter(r.Source, start...)...)
	}
	return fix.Unsafe("move the second image to a separate record", append(edits, fix.InsertAfter(r.Source, second...)...))
}
