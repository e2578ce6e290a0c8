package framing

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules/internal/example"
)

var unclosedBlock = &lint.Rule{
	ID: "LMC202", Name: "unclosed-block", Since: "0.1",
	Summary: "Another block, a confirmation or a server frame begins while a block is open",
	Rationale: "A consumer draws a block from its start to its end. Without the end it waits for more, joins the next block " +
		"to this one, or keeps a spinner turning. Producers that are stopped or that fail in the middle of a block leave it open.",
	Evidence: []string{
		"documents, streaming-response: a message is framed by a start and an end chunk",
		"recordings close_then_run, ws_stop, ws_error_mid",
	},
	Severity: lint.SeverityError, Inputs: lint.Streams | lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name: "the end of the message was lost",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`,
		Want: []string{"LMC202 3:1"},
	}, {
		Name: "two blocks whose chunks are mixed: one mistake, at the second start",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Let me"}
{"role": "assistant", "type": "code", "format": "shell", "start": true}
{"role": "assistant", "type": "message", "content": " look."}
{"role": "assistant", "type": "code", "format": "shell", "content": "ls"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "code", "format": "shell", "end": true}
` + example.Confirmed + example.Executed,
		Want: []string{"LMC202 3:1"},
	}},
	Good: []lint.Example{{
		Name: "a block ends before the next begins",
		Input: `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hello"}
{"role": "assistant", "type": "message", "end": true}
`,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Unclosed, func(e *lmc.Event) {
			p.Report(lint.Finding{
				Place:   e.Record.Place(),
				Message: fmt.Sprintf("%s begins while %s is still open", protocol.RecordName(e.Record), e.Block.Name()),
				Help:    helpForSide(e, fmt.Sprintf("send the end of the open block first: a record with its role, type and format and %q: true", protocol.StateOf(p).Dialect.EndKey), "the server answers, and obeys a command, when the end comes: send the end of the open message first"),
				Related: []lint.Related{{Message: "opened here", Place: e.Block.Start.Place()}},
			})
		}))
	},
}
