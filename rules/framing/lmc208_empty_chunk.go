package framing

import (
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/fix"
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
	New: newEmptyChunk,
}

func newEmptyChunk(p *lint.Pass) []lint.Hook {
	s := protocol.StateOf(p)
	var only emptyChunks
	return []lint.Hook{protocol.On(lmc.Content, func(e *lmc.Event) {
		r := e.Record
		output := r.Type == "console" && r.Format == "output"
		if r.Flag() || !r.Empty() || beforeBytes(r) || output && s.Dialect.EmptyOutput || protocol.Explained(p, e) {
			return
		}
		if protocol.HoldsPath(r) && protocol.HasText(e) {
			return // LMC406 reports it
		}
		allows := func(d *schema.Dialect) bool { return output && d.EmptyOutput }
		protocol.Unless(p, allows, func() {
			fix := only.fix(e.Block, r, p.Fixing)
			p.Report(lint.Finding{
				Place:   r.Source.PlaceOf(r.Content),
				Message: fmt.Sprintf("%s chunk with empty content", protocol.RecordName(r)),
				Help:    "remove empty chunks",
				Fix:     fix,
			})
		})
	})}
}

// removeChunk returns the fix that removes a chunk. Something else may refer to
// one with an id.
func removeChunk(r *lmc.Record) *lint.Fix {
	if r.Key("id") != nil {
		return nil
	}
	return fix.Safe("remove the chunk", fix.Remove(r.Source))
}

// emptyChunks counts the empty chunks of a block.
type emptyChunks struct{ block, count int }

// fix returns the fix of an empty chunk. As long as the block has no other, it is
// not known whether it may go: the block would be empty. If all fixes are wanted, they
// are tried.
func (o *emptyChunks) fix(b *lmc.Block, r *lmc.Record, tried bool) *lint.Fix {
	if o.block != b.Number {
		*o = emptyChunks{block: b.Number}
	}
	if o.count++; b.Contents == o.count && !tried {
		return nil
	}
	return removeChunk(r)
}

// beforeBytes reports whether binary frames follow the chunk as its content.
func beforeBytes(r *lmc.Record) bool {
	return r.Type == "audio" && strings.HasPrefix(r.Format, "bytes.")
}
