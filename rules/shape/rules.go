// Package shape contains the rules LMC1xx: is each record a valid message or chunk?
package shape

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		missingRole,
		unknownRole,
		missingType,
		unknownType,
		missingFormat,
		invalidFormat,
		unexpectedFormat,
		missingContent,
		wrongContentType,
		unknownKey,
		invalidFlag,
		conflictingKeys,
		invalidConfirmation,
		legacyConfirmation,
		invalidRecipient,
		uncommonRole,
		preLMCRecord,
		unknownLanguage,
		languageSpelling,
		stopFlag,
		recipientOnFlag,
		userToUser,
		missingKey,
		wrongKeyType,
		nullMember,
	}
}
