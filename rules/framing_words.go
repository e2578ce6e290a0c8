package rules

import "github.com/lmclint/lmclint/internal/lmc"

// toWhom returns the help for a mistake of framing: one for whoever streams,
// and one for the client of a session, where it is known what the server does.
func helpForSide(e *lmc.Event, toProducer, toClient string) string {
	if e.Sent {
		return toClient
	}
	return toProducer
}
