package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/fix"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/media"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var dataAfterImage = &lint.Rule{
	ID: "LMC403", Name: "data-after-image", Since: "0.1",
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
		Name: "console output after the image",
		Make: func() string { return example.ImageMessage("base64.png", example.OnePNG+`\nafter plot\n`) },
		Want: []string{"LMC403 1:170"},
	}, {
		Name: "text after an image without padding",
		Make: func() string { return example.ImageMessage("base64.jpeg", example.OneJPEG+"done") },
		Want: []string{"LMC403 1:261"},
	}},
	Good: []lint.Example{{
		Name: "an image and what was printed after it",
		Input: `[{"role": "assistant", "type": "code", "format": "python", "content": "plt.show()\nprint('after plot')"},
{"role": "computer", "type": "image", "format": "base64.png", "content": "` + example.OnePNG + `\n"},
{"role": "computer", "type": "console", "format": "output", "content": "after plot\n"}]
`,
	}},
	New: newDataAfterImage,
}

func newDataAfterImage(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.On(lmc.Content|lmc.Attachment, func(e *lmc.Event) {
		image := protocol.StateOf(p).Images.At(e)
		r, fault := e.Record, image.Fault
		if !image.IsImage || fault.Kind != media.Trailing {
			return
		}
		message, help := trailingWords(image, r.Text()[fault.At:])
		p.Report(lint.Finding{
			Place:   r.Source.PlaceIn(r.Content, fault.At, fault.End),
			Message: message,
			Help:    help,
			Fix:     splitImages(protocol.StateOf(p), e, fault.At),
		})
	})}
}

// trailingWords returns the message and the help for what follows an image.
func trailingWords(image *protocol.ImageScan, rest string) (message, help string) {
	const enough = 200 // bytes, more than a message shows
	switch fault := image.Fault; {
	case fault.Next != media.Unknown:
		return fmt.Sprintf("a second image (%s) follows the end of the first", fault.Next),
			"store each image in its own message"
	case fault.Text:
		if len(rest) > enough {
			rest = rest[:enough]
		}
		return fmt.Sprintf("text after the end of the image: %s", protocol.Quoted(strings.TrimSpace(rest))),
			"store the output in its own console message"
	case fault.Padded:
		return "base64 data continues after its padding", "end the content where the base64 of the image ends"
	}
	return fmt.Sprintf("data after the end of the %s image", image.Kind), "end the content where the image ends"
}

// splitImages returns the fix that moves a second image to a message or a block
// of its own. At is its offset in the content.
func splitImages(s *protocol.State, e *lmc.Event, at int) *lint.Fix {
	r, content := e.Record, e.Record.Content
	text := r.Text()
	if media.Begins(text[at:]) == media.Unknown {
		return nil
	}
	var second []fix.Member
	for i := range r.Source.Root.Children {
		n := &r.Source.Root.Children[i]
		m := fix.Member{Name: n.Name, Value: fix.Raw(n.Raw())}
		switch n.Name {
		case "content":
			m.Value = text[at:]
		case "id":
			continue
		}
		second = append(second, m)
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
