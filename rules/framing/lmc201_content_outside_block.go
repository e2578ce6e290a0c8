package framing

import (
	"slices"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var contentOutsideBlock = &lint.Rule{
	ID: "LMC201", Name: "content-outside-block",
	Summary: "Content appears outside a block",
	Rationale: "Consumers create a message at the start flag and append content to it. Without one, Open Interpreter's terminal " +
		"raises an AttributeError, accumulate() raises an exception or appends the content to the previous message, web " +
		"clients drop it, and OpenInterpreter/01 delivers it twice. A run of chunks of the same type is reported once: one start flag " +
		"is missing.",
	Evidence: []string{
		"documentation, streaming-response: a message is framed by a start and an end chunk",
		"all 25,164 recorded content chunks are in an open block",
		"wild: a fork's server dropped the flags of 212 chunks",
	},
	Requirements: []string{"LMC-STR-1"},
	Severity:     lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.UnsafeFixes,
	OneCause: true,
	Bad: []lint.Example{{
		Name: "the second message has no start flag",
		Input: saidHi + `{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are you?"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC201 4:1"},
	}, {
		Name: "the start flag comes after the content",
		Input: `{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "end": true}
`,
		Edits: []string{`{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "start": true}
`, `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
`},
		Want: []string{"LMC201 1:1"},
	}},
	Good: []lint.Example{{
		Name: "content between a start and an end flag",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are you?"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: newContentOutsideBlock,
}

func newContentOutsideBlock(p *lint.Pass) []lint.Hook {
	hasFlags := false
	var stray stray
	opened := protocol.On(lmc.Opened, func(e *lmc.OpenedEvent) {
		if e.Block.Stray {
			return
		}
		hasFlags = true
		if p.Fixing { // a check has given the finding already
			stray.before(e.Block)
		}
	})
	closed := protocol.On(lmc.Closed, func(e *lmc.ClosedEvent) { stray.end(e.Block) })
	return []lint.Hook{opened, closed, protocol.On(lmc.ContentOutsideBlock, func(e *lmc.FramingError) {
		if e.Sent || p.Repeats("", e.Record.Source, 0) {
			return // LMC609 reports what was sent
		}
		name := protocol.RecordName(e.Record)
		if !e.Record.Binary {
			name += " content"
		}
		f := lint.Finding{
			Place:   e.Record.Place(),
			Message: name + " outside a block",
			Help:    "send its start flag before it and its end flag after it, with the same role, type and format; move the one that is in the wrong place",
		}
		if !hasFlags {
			f.Help += "; if these are complete messages, pass --kind transcript"
		}
		if start := protocol.StartOf(protocol.StateOf(p).Dialect, e.Record); start != nil {
			f.Fix = fix.Unsafe("insert the start flag", fix.InsertBefore(e.Record.Source, start...))
		}
		stray.begin(e.Record, f.Fix)
		p.Report(f)
	})}
}

// stray is content outside a block. It may be that of a block like it that ended shortly before
// or starts next: unless it has an end of its own, one of the flags is in the wrong place.
type stray struct {
	ended [2]blockKind // the last ones
	kind  blockKind
	fix   *lint.Fix // until the next block starts
}

type blockKind struct{ role, typ, format string }

func kindOf(b *lmc.Block) blockKind { return blockKind{b.Role, b.Type, b.Format} }

func (s *stray) begin(r *lmc.Record, made *lint.Fix) {
	s.kind, s.fix = blockKind{r.Role, r.Type, r.Format}, made
	if r.Type == "console" {
		s.kind.format = "" // the flags have none
	}
	if made != nil {
		made.Alone = slices.Contains(s.ended[:], s.kind)
	}
}

func (s *stray) end(b *lmc.Block) {
	if !b.Stray {
		s.ended = [2]blockKind{s.ended[1], kindOf(b)}
	}
}

func (s *stray) before(b *lmc.Block) {
	if s.fix != nil {
		s.fix.Alone = s.fix.Alone || kindOf(b) == s.kind
	}
	s.fix = nil
}
