// Package transcript contains the rules LMC5xx: can the conversation be loaded again?
package transcript

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		chunkInTranscript,
		ephemeralInTranscript,
		outputWithoutCode,
		codeWithoutOutput,
		blankMessage,
		misplacedSystemMessage,
		commandInTranscript,
		audioInTranscript,
		unpairedToolCall,
	}
}
