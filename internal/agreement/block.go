package agreement

import (
	"github.com/lmclint/lmclint/internal/blocks"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// StreamedBlock is a block of the stream.
type StreamedBlock struct {
	blocks.Block

	Place source.Place // of its start

	asked  bool // the user was asked to confirm the code
	lossy  bool // it may not be what was sent, which is already reported
	notRun bool // code without output
}

// streamed returns a block that is complete.
func (a *Comparison) streamed(b *lmc.Block) *StreamedBlock {
	s := &StreamedBlock{Block: blocks.Block{Role: b.Role, Type: b.Type, Format: b.Format, Text: blocks.TextOf(nil)}, Place: b.Start.Place(), lossy: true}
	if b.Number != a.block {
		return s
	}
	s.lossy = b.Lossy || b.Cut || b.Stray || b.Invalid()&^lmc.InvalidLanguage != 0
	s.Text = a.text.Text()
	if b.Type == "console" {
		s.Format = "output"
	}
	text, whole := s.Text.Whole()
	switch {
	case !b.Doubled():
	case !whole || s.Text.First > s.Text.Bytes:
		s.lossy = true
	default:
		s.Text = blocks.TextOf(text[:s.Text.First]) // without what it repeats
	}
	if _, whole := s.Text.Whole(); !whole {
		s.Text.Head = nil
	}
	return s
}
