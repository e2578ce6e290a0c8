package lint

import (
	"cmp"
	"fmt"
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

// Severity says how much a finding matters. The zero value is no severity.
type Severity uint8

// The severities, in ascending order.
const (
	SeverityNote    Severity = iota + 1 // legal, but odd
	SeverityWarning                     // works, but is against the documents or loses data
	SeverityError                       // breaks the protocol
)

// Severities lists all severities, the gravest first.
func Severities() []Severity {
	return []Severity{SeverityError, SeverityWarning, SeverityNote}
}

// String returns error, warning or note.
func (s Severity) String() string {
	switch s {
	case SeverityError:
		return "error"
	case SeverityWarning:
		return "warning"
	case SeverityNote:
		return "note"
	}
	return "none"
}

// ParseSeverity is the inverse of String. It fails on any other word.
func ParseSeverity(word string) (Severity, error) {
	for _, s := range Severities() {
		if s.String() == word {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want error, warning or note", word)
}

// MarshalText writes the severity as its word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a severity from its word.
func (s *Severity) UnmarshalText(text []byte) error {
	parsed, err := ParseSeverity(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}
