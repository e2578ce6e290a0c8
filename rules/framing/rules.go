// Package framing contains the rules LMC2xx: do start and end flags balance?
package framing

import (
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

// helpForSide returns the help for the producer of a stream or, in a session, for
// the client, where the reaction of the server is known.
func helpForSide(sent bool, toProducer, toClient string) string {
	if sent {
		return toClient
	}
	return toProducer
}

// saidHi is a block of several examples.
const saidHi = `{"role": "assistant", "type": "message", "start": true}
{"role": "assistant", "type": "message", "content": "Hi"}
{"role": "assistant", "type": "message", "end": true}
`
