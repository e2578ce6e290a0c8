package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/session"
	"github.com/lmclint/lmclint/lint"
)

var interruptedBlock = &lint.Rule{
	ID: "LMC613", Name: "interrupted-block",
	Summary: "The user interrupted a block",
	Rationale: "When the user stops the response or starts a new message, the server drops its pending output: the open block " +
		"gets no end flag, and no complete follows. A client that waits for either waits forever; it must close the block " +
		"itself.",
	Evidence: []string{
		"recordings ws_stop, ws_stop_message, ws_interrupt: the block has no end flag",
		"async_core.py, input(): any start sets the stop event",
	},
	Requirements: []string{"LMC-SES-13"},
	Severity:     lint.SeverityNote, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	OneCause: true,
	Bad: []lint.Example{{
		Name:  "a stopped response",
		Input: greeted + replyBegun + commanded("stop"),
		Want:  []string{"LMC613 4:26"},
	}, {
		Name:  "interrupted by a new message",
		Input: greeted + replyBegun + greeted + replied + completed,
		Want:  []string{"LMC613 4:26"},
	}},
	Good: []lint.Example{{
		Name:  "the block ends before the next message starts",
		Input: greeted + replied + completed + greeted + replied + completed,
	}},
	New: protocol.Report(session.Interrupted, reportInterruptedBlock),
}

func reportInterruptedBlock(_ *lint.Pass, e *session.Interruption) lint.Finding {
	by := "the user's next message"
	if c := e.Command; c != "" {
		by = "the user's command " + protocol.Quoted(c)
	}
	return lint.Finding{
		Place:   e.Block.Start.Place(),
		Message: fmt.Sprintf("%s was interrupted by %s", e.Block.Name(), by),
		Help:    "close the open block in the client when it stops or interrupts a response",
		Related: []lint.Related{{Message: "interrupted here", Place: e.At.Place()}},
	}
}
