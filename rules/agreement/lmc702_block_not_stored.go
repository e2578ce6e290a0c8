package agreement

import (
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var blockNotStored = &lint.Rule{
	ID: "LMC702", Name: "block-not-stored", Since: "0.1",
	Summary: "The stream has a block that no message of the stored conversation holds",
	Rationale: "The user saw the block, but the conversation that is loaded again, and that the model reads in the next turn, lacks it: the " +
		"consumer dropped it, or the file was saved before it was complete. A block that is stored at another place is found here, too. " +
		"Compared is with --against. Reviews and console blocks without output are not stored.",
	Evidence: []string{
		"recordings of streams and their conversation files: blocks and messages match one to one, but for a few known causes",
		"core.py writes the conversation file only after a turn that nobody broke off",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams, Protocol: protocol.LMC{},
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
		Name:    "a whole turn",
		Against: example.Conversation,
		Input:   example.Turn,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.OnDifference(agreement.NotStored, agreement.Moved, func(d *agreement.Difference) {
			f := lint.Finding{Place: d.Block.Place}
			if d.Reason == agreement.Moved {
				f.Message = "this " + d.Block.Name() + " is stored at another place in " + protocol.StateOf(p).Against
				f.Help = "store messages in the order of their blocks"
				f.Related = []lint.Related{{Message: "stored here", Path: protocol.StateOf(p).Against, Place: d.Message.Place}}
				p.Report(f)
				return
			}
			f.Message = "no message of " + protocol.StateOf(p).Against + " holds this " + d.Block.Name() + andMore(d.More, "nor", "block")
			f.Help = "find out why the consumer dropped it, or whether the conversation was saved before it was complete"
			if d.Near != nil {
				message := "it is missing before this message"
				if d.Behind {
					message = "it is missing behind this message"
				}
				f.Related = []lint.Related{{Message: message, Path: protocol.StateOf(p).Against, Place: d.Near.Place}}
			}
			p.Report(f)
		}))
	},
}
