package rules

import "github.com/lmclint/lmclint/lint"

// All returns every rule, in the order of their ids.
func All() []*lint.Rule {
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
	}
}
