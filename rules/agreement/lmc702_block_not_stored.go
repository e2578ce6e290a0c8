package agreement

import (
	"github.com/lmclint/lmclint/internal/judge/agreement"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var blockNotStored = &lint.Rule{
	ID: "LMC702", Name: "block-not-stored",
	Summary: "A streamed block was not stored",
	Rationale: "The user saw the block, but the stored conversation, which the model reads in the next turn, lacks it: the " +
		"consumer dropped it, or the file was saved before it was complete. A block that is stored at another position is " +
		"reported, too. Requires --against. Reviews and console blocks without output are not stored.",
	Evidence: []string{
		"recordings of streams and their conversation files: blocks and messages match one to one, with a few known exceptions",
		"core.py, _streaming_chat(): writes the conversation file only after an uninterrupted turn",
	},
	Requirements: []string{"LMC-AGR-2"},
	Severity:     lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the output was not stored",
		Against: `[{"role": "user", "type": "message", "content": "List the files"},
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"},
{"role": "assistant", "type": "message", "content": "One file."}]
`,
		Input: example.Turn,
		Want:  []string{"LMC702 5:1"},
	}},
	Good: []lint.Example{{
		Name:    "a complete turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: newBlockNotStored,
}

func newBlockNotStored(p *lint.Pass) []lint.Hook {
	return []lint.Hook{protocol.OnDifference(agreement.NotStored, agreement.Moved, func(d *agreement.Difference) {
		against := protocol.StateOf(p).Against
		f := lint.Finding{
			Place: d.Block.Place, Message: d.Block.Name() + " is not stored in " + against + andMore(d.More, "block"),
			Help: "check whether the consumer dropped it or saved the conversation too early",
		}
		at, message := d.Near, "expected before this message"
		if d.AfterNear {
			message = "expected after this message"
		}
		if d.Reason == agreement.Moved {
			f.Message = d.Block.Name() + " is stored at another position in " + against
			f.Help = "store messages in the order of their blocks"
			at, message = d.Message, "stored here"
		}
		if at != nil {
			f.Related = []lint.Related{{Message: message, Path: against, Place: at.Place}}
		}
		p.Report(f)
	})}
}
