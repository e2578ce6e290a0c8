package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var truncatedStream = &lint.Rule{
	ID: "LMC203", Name: "truncated-stream", Since: "0.1",
	Summary: "The input ends inside a block",
	Rationale: "The last message is incomplete: the consumer stopped reading, the recording was cut, or the producer failed. " +
		"A client that replays the stream waits for the end for ever.",
	Evidence: []string{
		"recordings close_mid_output, close_mid_message, close_mid_code, llm_raise_message, llm_raise_code",
		"582 of 582 recordings that nobody interrupted end with an end chunk",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the recording was cut",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "The"}
{"role": "assistant", "type": "message", "content": " result"}
`,
		Want: []string{"LMC203 3:1"},
	}},
	Good: []lint.Example{{
		Name:  "a consumer that breaks off at the confirmation leaves nothing open",
		Input: example.ShellCode + example.Confirmed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Truncated, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Last.Place(),
				Message: fmt.Sprintf("the input ends while %s is still open", e.Block.Name()),
				Help:    helpForSide(e, fmt.Sprintf("was the recording cut, or did the producer fail? a finished block has an end: a record with its role, type and format and %q: true", protocol.StateOf(p).Dialect.EndKey), "the server answers, and obeys a command, when the end comes: send "+userEnd(e.Block)),
				Related: []lint.Related{{Message: "opened here", Place: e.Block.Start.Place()}},
			})
		}))
	},
}

// userEnd is the end flag of a user's block.
func userEnd(b *lmc.Block) string {
	if b.Type == "" {
		return `{"role": "user", "end": true}`
	}
	return fmt.Sprintf(`{"role": "user", "type": %q, "end": true}`, b.Type)
}
