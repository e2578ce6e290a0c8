package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

var repeatedText = &lint.Rule{
	ID: "LMC210", Name: "repeated-text", Since: "0.1",
	Summary: "A block's first chunk already contains the text of the following chunks",
	Rationale: "Open Interpreter keeps appending to the object of a block's first chunk. A program that keeps chunks in a list " +
		"and serializes them later stores the whole text in the first one, and then each delta again: every consumer " +
		"shows and stores the text twice.",
	Evidence: []string{
		"recording collected_alias",
		"recordings of 0.3.4 over WebSocket, which serialize the object late; 0.3.6 copies it first",
	},
	Requirements: []string{"LMC-STR-10"},
	Severity:     lint.SeverityWarning, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Fixes: lint.UnsafeFixes,
	Bad: []lint.Example{{
		Name: "chunks collected in a list and serialized afterwards",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How are you?"}
{"role": "assistant", "type": "message", "content": " are"}
{"role": "assistant", "type": "message", "content": " you?"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC210 2:53"},
	}},
	Good: []lint.Example{{
		Name: "chunks serialized when they arrive",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "How"}
{"role": "assistant", "type": "message", "content": " are"}
{"role": "assistant", "type": "message", "content": " you?"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: protocol.Report(lmc.Closed, findRepeatedText),
}

func findRepeatedText(_ *lint.Pass, e *lmc.Event) lint.Finding {
	b := e.Block
	if !b.Doubled() {
		return lint.Finding{}
	}
	f := lint.Finding{
		Place:   b.First(),
		Message: fmt.Sprintf("the first chunk of %s already contains the text of the next %d chunks", b.Name(), b.Contents-1),
		Help:    "serialize each chunk when it arrives, or store chunk.copy()",
	}
	first, size := b.Repeated()
	if r := first.Record(); r != nil {
		content := r.Root.Member("content")
		if length := len(content.Text()); size >= length {
			f.Fix = fix.Unsafe("remove the first chunk", fix.Remove(r))
		} else {
			f.Fix = fix.Unsafe("remove the repeated text from the first chunk", fix.RemoveText(r, content, length-size, length))
		}
	}
	return f
}
