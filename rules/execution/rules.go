// Package execution contains the rules LMC3xx: was code confirmed before it ran?
package execution

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		unconfirmedExecution,
		confirmationWithoutCode,
		confirmedComputerCode,
		confirmationMismatch,
		repeatedConfirmation,
		executionWithoutCode,
		invalidActiveLine,
		activeLineOutOfRange,
		outputAfterFinalLine,
		missingFinalLine,
		unexecutedCode,
		wrongConfirmationID,
	}
}
