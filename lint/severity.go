package lint

import "fmt"

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
