// Package framing holds the rules LMC2xx: do start and end flags balance?
package framing

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/lint"
)

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		contentOutsideBlock,
		unclosedBlock,
		truncatedStream,
		endWithoutStart,
		endMismatch,
		contentMismatch,
		emptyBlock,
		emptyChunk,
		consoleFlagFormat,
		repeatedText,
	}
}

// toWhom returns the help for a mistake of framing: one for whoever streams,
// and one for the client of a session, where it is known what the server does.
func helpForSide(e *lmc.Event, toProducer, toClient string) string {
	if e.Sent {
		return toClient
	}
	return toProducer
}
