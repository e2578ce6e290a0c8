package content

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/media"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var imageFormatMismatch = &lint.Rule{
	ID: "LMC402", Name: "image-format-mismatch",
	Summary: "An image's data does not match its format",
	Rationale: "Open Interpreter derives the media type of the image from its format. The vision model gets the wrong media type, " +
		"which some APIs refuse, and the terminal writes a file with the wrong extension.",
	Evidence: []string{
		"documentation, lmc-messages: base64 and base64.png are PNG, base64.jpeg is JPEG",
		"recording py_execute_results of 0.1.17: a JPEG under the format base64",
	},
	Requirements: []string{"LMC-CNT-2"},
	Severity:     lint.SeverityError, Inputs: lint.AnyInput, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "a JPEG with format base64.png",
		Make: func() string { return example.ImageMessage("base64.png", example.OneJPEG) },
		Want: []string{"LMC402 1:71"},
	}, {
		Name:  "text instead of an image",
		Make:  func() string { return example.ImageMessage("base64.png", "SGVsbG8sIHdvcmxkIQ==") },
		Edits: []string{`"SGVsbG8sIHdvcmxkIQ=`, `"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII`},
		Want:  []string{"LMC402 1:71"},
	}},
	Good: []lint.Example{{
		Name: "a JPEG",
		Make: func() string { return example.ImageMessage("base64.jpeg", example.OneJPEG) },
	}},
	New: newImageFormatMismatch,
}

func newImageFormatMismatch(p *lint.Pass) []lint.Hook {
	var rest offer.BlockFix
	hooks := []lint.Hook{protocol.On(lmc.Content|lmc.Attachment, func(e *lmc.ContentEvent) {
		image, r := protocol.StateOf(p).Image, e.Record
		if !image.IsImage || !image.Begins || image.Open || image.Fault.Kind != media.Sound && image.Fault.Kind != media.Trailing {
			return
		}
		says := media.Named(r.Format)
		if says == media.Unknown || says == image.Kind || e.Block != nil && r.Text() == "" {
			return
		}
		found := "is " + image.Kind.String()
		f := lint.Finding{Place: r.Source.PlaceOf(r.Content), Cause: image.Kind.String(), Fix: formatFix(protocol.StateOf(p), e, image.Kind, &rest)}
		switch {
		case isFormat(protocol.StateOf(p), formatOf(image.Kind)):
			f.Help = fmt.Sprintf(`write "format": %q, or convert the image`, formatOf(image.Kind))
		case image.Kind == media.Unknown:
			if found = "is empty"; len(image.Head) > 0 {
				found = "starts with " + protocol.Quoted(string(image.Head))
			}
			if f.Help = fmt.Sprintf("encode a complete %s file as base64", says); media.Begins(string(image.Head)) != media.Unknown {
				f.Help = "encode the file as base64 once, not twice"
			}
		default:
			f.Help = fmt.Sprintf("convert the image to %s", says)
		}
		f.Message = fmt.Sprintf("image data %s, expected %s for format %s", found, says, r.Format)
		p.Report(f)
	})}
	if p.Fixing {
		hooks = append(hooks, rest.Follow()...)
	}
	return hooks
}

// formatOf returns the format of images of a kind.
func formatOf(kind media.Kind) string { return "base64." + strings.ToLower(kind.String()) }

// isFormat reports whether the dialect has a format of images.
func isFormat(s *protocol.State, format string) bool {
	t, ok := s.Dialect.Type("image")
	if ok {
		_, ok = t.Format(format)
	}
	return ok
}

// formatFix returns the fix that writes the format that the image has, in all
// records of its block.
func formatFix(s *protocol.State, e *lmc.ContentEvent, kind media.Kind, rest *offer.BlockFix) *lint.Fix {
	wrong, right := e.Record.Format, formatOf(kind)
	if !isFormat(s, right) || e.Block != nil && e.Block.Contents > 1 {
		return nil
	}
	change := func(r *lmc.Record) []lint.Edit {
		if r.Format != wrong {
			return nil
		}
		return fix.ReplaceValue(r.Source, r.Key("format"), right)
	}
	fix := offer.ReplaceWord(e.Record.Source, e.Record.Key("format"), right)
	if fix != nil && e.Block != nil && !e.Block.Stray {
		start := e.Block.Start.Record()
		if start == nil {
			return nil
		}
		fix.Edits = append(change(lmc.NewRecord(start)), fix.Edits...)
	}
	return rest.Begin(fix, e.Record, e.Block, change)
}
