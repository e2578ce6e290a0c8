// Package input contains the rules LMC0xx: can the input be read?
package input

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		invalidJSON,
		invalidUTF8,
		duplicateKey,
		notAnObject,
		truncatedRecord,
		recordTooLarge,
		loneSurrogate,
		byteOrderMark,
		pythonLiteral,
		nestingTooDeep,
		noRecords,
		strayLines,
	}
}
