// Package content contains the rules LMC4xx: does content match its type and format?
package content

import "github.com/lmclint/lmclint/lint"

// Rules returns the rules of the family, in the order of their ids.
func Rules() []*lint.Rule {
	return []*lint.Rule{
		invalidBase64,
		imageFormatMismatch,
		dataAfterImage,
		splitImage,
		invalidWAV,
		emptyPath,
		ansiEscape,
		splitReviewTag,
		truncatedOutput,
		truncatedImage,
		pathExpected,
		leakedMarker,
		unrunToolCall,
	}
}
