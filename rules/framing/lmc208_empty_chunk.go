package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

var emptyChunk = &lint.Rule{
	ID: "LMC208", Name: "empty-chunk",
	Summary: "A chunk's content is an empty string",
	Rationale: "Open Interpreter never sends an empty chunk. All known consumers ignore it; a producer " +
		"that sends one may have lost text.",
	Evidence: []string{
		"core.py, _respond_and_store(): an empty content is dropped; none of 23,983 recorded string contents is empty",
		"wild: a fork's server adds \"content\": \"\" to its flags",
	},
	Requirements: []string{"LMC-STR-8"},
	Severity:     lint.SeverityNote, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes:    lint.SafeFixes,
	OneCause: true,
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
	return []lint.Hook{protocol.On(lmc.Content, func(e *lmc.ContentEvent) {
		r := e.Record
		output := r.Type == "console" && r.Format == "output"
		if r.Flag() || !r.Empty() || isBinary(r.Type, r.Format) || output && s.Dialect.EmptyOutput ||
			s.Dialect.MayBeEmpty(r.Type, r.Format) || protocol.Explained(p, e) {
			return
		}
		if protocol.HoldsPath(r) && protocol.HasText(e) {
			return // LMC406 reports it
		}
		if p.Repeats("", r.Source, r.Content.Start) {
			return
		}
		f := lint.Finding{
			Place:   r.Source.PlaceOf(r.Content),
			Message: fmt.Sprintf("%s chunk with empty content", protocol.RecordName(r)),
			Help:    "remove empty chunks",
		}
		// Something else may refer to one with an id.
		if r.Key("id") == nil {
			f.Fix = fix.Safe("remove the chunk", fix.Remove(r.Source))
		}
		protocol.ReportUnless(p, f, func(d *schema.Dialect) bool { return output && d.EmptyOutput })
	})}
}
