package content

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var splitImage = &lint.Rule{
	ID: "LMC404", Name: "split-image", Since: "0.1",
	Summary: "An image block has more than one content chunk",
	Rationale: "Consumers join the contents of a block. Two images of one block become one broken image, in Open Interpreter's own " +
		"transcript as well; clients that take each chunk for an image show two halves of one that was split.",
	Evidence: []string{
		"recordings py_two_images, py_two_displays: two plots in one block; 88 of 102 image blocks have a single chunk",
		"wild: a web client takes an image's content to be one chunk",
	},
	Severity: lint.SeverityWarning, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "two images in one block",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock(example.OnePNG, example.OnePNG) + example.Executed
		},
		Want: []string{"LMC404 7:1"},
	}, {
		Name: "one image in pieces",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock(example.OnePNG[:30], example.OnePNG[30:70], example.OnePNG[70:]) + example.Executed
		},
		Want: []string{"LMC404 7:1"},
	}},
	Good: []lint.Example{{
		Name: "an image a block",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock(example.OnePNG) + example.ImageBlock(example.OnePNG) + example.Executed
		},
	}},
	New: func(p *lint.Pass) []lint.Hook {
		block := 0 // the number of the last one with content that is not empty
		var first source.PlaceRef
		told := false
		return protocol.StatefulHooks(func() { block, told = 0, false }, protocol.On(lmc.Content, func(e *lmc.Event) {
			b := e.Block
			if b.Type != "image" || b.Stray || b.Lossy || !protocol.HasText(e) || e.Record.Blank() {
				return
			}
			if block != b.Number {
				block, told = b.Number, false
				first.Set(e.Record.Source, e.Record.Content)
				return
			}
			if told {
				return
			}
			told = true
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: "a second chunk of content in one image block: consumers join the two",
				Help:    "send an image in one chunk, and each image in a block of its own",
				Related: []lint.Related{{Message: "the first", Place: first.Place()}},
			})
		}))
	},
}
