package framing

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var emptyChunk = &lint.Rule{
	ID: "LMC208", Name: "empty-chunk", Since: "0.1",
	Summary: "A chunk's content is an empty string",
	Rationale: "Open Interpreter never sends an empty chunk. All known consumers ignore it; a producer " +
		"that sends one may have lost text.",
	Evidence: []string{
		"core.py, _respond_and_store(): an empty content is dropped; none of 23,983 recorded string contents is empty",
		"wild: a fork's server adds \"content\": \"\" to its flags",
	},
	Requirements: []string{"LMC-STR-8"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.SafeFixes,
	Bad: []lint.Example{{
		Name: "an empty chunk",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": ""}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC208 2:53"},
	}},
	Good: []lint.Example{{
		Name: "whitespace is content",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": " "}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		s, held := protocol.StateOf(p), &protocol.ForkFindings{Pass: p}
		var only emptyChunks
		hooks := []lint.Hook{protocol.On(lmc.Content, func(e *lmc.Event) {
			r := e.Record
			output := r.Type == "console" && r.Format == "output"
			if r.Flag() || !r.Empty() || beforeBytes(r) || output && s.Dialect.EmptyOutput || protocol.Explained(p, e) {
				return
			}
			if protocol.HoldsPath(r) && protocol.HasText(e) {
				return // LMC406 reports it
			}
			held.Report(output && s.AllowedInFork(saysNoOutput), func() {
				fix := only.note(e.Block, removeChunk(r), p.Fixing)
				p.Report(lint.Finding{
					Place:   r.Source.PlaceOf(r.Content),
					Message: fmt.Sprintf("%s chunk with empty content", protocol.RecordName(r)),
					Help:    "remove empty chunks",
					Fix:     fix,
				})
			})
		}), held.Release()}
		if p.Fixing {
			hooks = append(hooks, protocol.On(lmc.Closed, only.close))
		}
		return hooks
	},
}

// removeChunk returns the fix that removes a chunk. Something else may refer to
// one with an id.
func removeChunk(r *lmc.Record) *lint.Fix {
	if r.Key("id") != nil {
		return nil
	}
	return lint.SafeFix("remove the chunk", r.Source.Remove())
}

// emptyChunks are the empty chunks of a block. If it has no others, none is
// removed: the block would be empty.
type emptyChunks struct {
	block int // its number
	count int
	fixes []*lint.Fix // of all of them, if they are wanted whole
}

// note notes an empty chunk and returns its fix. Without whole it is nil as long
// as the block has only empty chunks.
func (o *emptyChunks) note(b *lmc.Block, fix *lint.Fix, whole bool) *lint.Fix {
	if o.block != b.Number {
		*o = emptyChunks{block: b.Number, fixes: o.fixes[:0]}
	}
	o.count++
	switch {
	case fix != nil && whole:
		o.fixes = append(o.fixes, fix)
	case b.Contents == o.count:
		return nil
	}
	return fix
}

// close withdraws the fixes at the end of a block that has only empty chunks.
func (o *emptyChunks) close(e *lmc.Event) {
	if e.Block.Number != o.block || e.Block.Contents > o.count {
		return
	}
	for _, fix := range o.fixes {
		fix.Edits = nil
	}
}

// saysNoOutput reports whether empty output has a meaning in a dialect.
func saysNoOutput(d *schema.Dialect) bool { return d.EmptyOutput }

// beforeBytes reports whether binary frames follow the chunk as its content.
func beforeBytes(r *lmc.Record) bool {
	return r.Type == "audio" && strings.HasPrefix(r.Format, "bytes.")
}
