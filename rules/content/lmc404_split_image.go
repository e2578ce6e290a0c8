package content

import (
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var splitImage = &lint.Rule{
	ID: "LMC404", Name: "split-image",
	Summary: "An image block has more than one content chunk",
	Rationale: "Open Interpreter's terminal decodes each chunk as an image: a part of one raises binascii.Error and aborts the " +
		"response. Consumers that join the contents of a block, and Open Interpreter's own transcript, make one broken image of two.",
	Evidence: []string{
		"recordings py_two_images, py_two_displays: two plots in one block; 88 of 102 image blocks have a single chunk",
		"wild: a web client expects the content of an image in one chunk",
	},
	Requirements: []string{"LMC-CNT-4"},
	Severity:     lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "two images in one block",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("png", example.OnePNG, example.OnePNG) + example.Executed
		},
		Want: []string{"LMC404 7:1"},
	}, {
		Name: "one image in three chunks",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("png", example.OnePNG[:30], example.OnePNG[30:70], example.OnePNG[70:]) + example.Executed
		},
		Edits: []string{`"iVBORw0KGgoAAAANSUhEUgAAAAEAAA"}
{"role": "computer", "type": "image", "format": "base64.png", "content": "ABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AA"}
{"role": "computer", "type": "image", "format": "base64.png", "content": "YAA`, `"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA`},
		Want: []string{"LMC404 7:1"},
	}},
	Good: []lint.Example{{
		Name: "one image per block",
		Make: func() string {
			return example.ShellCode + example.Confirmed + example.ImageBlock("png", example.OnePNG) + example.ImageBlock("png", example.OnePNG) + example.Executed
		},
	}},
	New: newSplitImage,
}

func newSplitImage(p *lint.Pass) []lint.Hook {
	block := 0 // number of the last block with content that is not empty
	var first source.PlaceRef
	reported := false
	return []lint.Hook{protocol.On(lmc.Content, func(e *lmc.ContentEvent) {
		b, r := e.Block, e.Record.Source
		if b.Type != "image" || protocol.Explained(p, e) || !protocol.HasText(e) || e.Record.Blank() {
			return
		}
		if block != b.Number {
			block, reported = b.Number, false
			first.Set(r, e.Record.Content)
			return
		}
		if reported {
			return
		}
		reported = true
		f := lint.Finding{
			Place:   e.Record.Place(),
			Message: "second content chunk in an image block",
			Help:    "send an image in one chunk, and each image in its own block",
			Related: []lint.Related{{Message: "first chunk", Place: first.Place()}},
		}
		end, start := protocol.EndOf(protocol.StateOf(p).Dialect, b), protocol.StartOf(protocol.StateOf(p).Dialect, e.Record)
		if end != nil && start != nil && media.Begins(e.Record.Text()) != media.Unknown { // else it continues the first
			f.Fix = fix.Unsafe("insert an end and a start flag between the images", append(fix.InsertBefore(r, end...), fix.InsertBefore(r, start...)...))
		}
		p.Report(f)
	})}
}
