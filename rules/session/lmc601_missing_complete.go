package session

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

var missingComplete = &lint.Rule{
	ID: "LMC601", Name: "missing-complete", Since: "0.1",
	Summary: "A response is not closed by complete",
	Rationale: "A client shows that the server is at work until complete comes, and lets the user speak then. Without it, it waits " +
		"for ever. A response that the user stopped, or cut off with a new message, has none.",
	Evidence: []string{
		"documents, server/usage: the server ends a response with the status complete",
		"recordings: the last frame of each of 81 sessions that nobody stopped is complete",
		"recording ws_error of 0.3.4: the model fails, and nothing comes back",
	},
	Severity: lint.SeverityError, Inputs: lint.Sessions, Protocol: protocol.LMC{},
	Bad: []lint.Example{{
		Name:  "the recording ends without it",
		Input: greeted + replied,
		Want:  []string{"LMC601 6:26"},
	}, {
		Name:  "the next message comes first",
		Input: greeted + replied + greeted + replied + completed,
		Want:  []string{"LMC601 6:26"},
	}, {
		Name:  "no answer at all",
		Input: greeted + replied + completed + greeted,
		Want:  []string{"LMC601 10:26"},
	}},
	Good: []lint.Example{{
		Name:  "complete closes the response",
		Input: greeted + replied + completed,
	}},
	New: func(p *lint.Pass) []lint.Hook {
		tell := func(at source.Place, message string) {
			p.Report(lint.Finding{
				Place:   at,
				Message: message,
				Help:    `send {"role": "server", "type": "status", "content": "complete"} when a response is over, after an error too`,
			})
		}
		return protocol.Hooks(
			protocol.On(lmc.Incomplete, func(e *lmc.Event) {
				tell(e.Last.Place(), "the response ends here, and no complete closes it")
			}),
			protocol.On(lmc.Unanswered, func(e *lmc.Event) {
				tell(e.Last.Place(), "the session ends before the server has answered this message")
			}),
			protocol.On(lmc.UnexpectedStatus, func(e *lmc.Event) {
				tell(e.Record.PlaceOf("content"), fmt.Sprintf("the response is closed by the status %s, expected complete", protocol.Quoted(e.Record.Text())))
			}),
		)
	},
}
