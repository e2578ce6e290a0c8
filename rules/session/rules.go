// Package session contains the rules LMC6xx: do client and server follow the protocol?
package session

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		missingComplete,
		unapprovedExecution,
		errorWithoutComplete,
		bareCommand,
		unknownCommand,
		frameBeforeAuth,
		unacknowledgedFrame,
		repeatedFrame,
		userContentOutsideBlock,
		emptyUserBlock,
		joinedParts,
		serverError,
		interruptedBlock,
		unknownApproval,
	}
}
