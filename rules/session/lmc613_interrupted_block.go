package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/lint"
)

var interruptedBlock = &lint.Rule{
	ID: "LMC613", Name: "interrupted-block", Since: "0.1",
	Summary: "A block was cut off by the user",
	Rationale: "When the user stops the response or begins a new message, the server drops what it was about to send: the open block " +
		"gets no end, and no complete comes. A client closes such a block by itself.",
	Evidence: []string{
		"recordings ws_stop, ws_stop_message, ws_interrupt: the block is never ended",
		"async_core.py, input(): any start sets the stop event",
	},
	Severity: lint.SeverityNote, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "stopped",
		Input: greeted + replyBegun + stopped,
		Want:  []string{"LMC613 4:26"},
	}, {
		Name:  "interrupted by a new message",
		Input: greeted + replyBegun + greeted + replied + completed,
		Want:  []string{"LMC613 4:26"},
	}},
	Good: []lint.Example{{
		Name:  "the block ends before the next message",
		Input: greeted + replied + completed + greeted + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		return protocol.Hooks(protocol.On(lmc.Interrupted, func(e *lmc.Event) {
			by := "the user's next message"
			if c := e.Cause.Command; c != "" {
				by = "the user's command " + protocol.Quoted(c)
			}
			p.Report(lint.Finding{
				Place:   e.Block.Start.Place(),
				Message: fmt.Sprintf("%s has no end: it was cut off by %s", e.Block.Name(), by),
				Help:    "nothing is wrong with the server; a client closes the open block when it stops or interrupts a response",
				Related: []lint.Related{{Message: "cut off here", Place: e.Cause.At.Place()}},
			})
		}))
	},
}
