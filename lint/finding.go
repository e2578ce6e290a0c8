package lint

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// Finding is one mistake at one place.
type Finding struct {
	Rule         *Rule
	Severity     Severity
	Path         string // as the caller named the input, or what it is compared with
	Message      string // what is wrong, without the place; one line
	Help         string // what to do about it; may be empty
	Place        source.Place
	Conversation int // from 0 with JSON Lines of whole conversations, else -1
	Related      []Related

	// Fingerprint recognises the finding in a later run on the same input, as
	// Fingerprints gives it. It is empty without WithFingerprints.
	Fingerprint string
}

// Related is another place that a finding refers to, such as the start flag
// of an open block.
type Related struct {
	Message string
	Path    string // "" if it is in the file of the finding
	Place   source.Place
}

// sortFindings orders the findings that one record decided: by offset, then
// by rule, then by message.
func sortFindings(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Place.Span.Start.Offset, b.Place.Span.Start.Offset),
			cmp.Compare(a.Rule.ID, b.Rule.ID),
			cmp.Compare(a.Message, b.Message),
		)
	})
}
