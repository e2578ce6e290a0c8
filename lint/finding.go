package lint

import (
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
)

// Finding is one mistake: at one place, or with the same cause at several places of an input.
type Finding struct {
	Rule         *Rule
	Severity     Severity
	Path         string // name of the input, or of the conversation that it is compared with
	Message      string // what is wrong, without the place; one line
	Help         string // how to fix it; may be empty
	Place        source.Place
	Conversation int // from 0 in JSON Lines of whole conversations, else -1
	Related      []Related
	Fix          *Fix // how to fix it, or nil

	// Cause is what the producer would have to change, in a few words: the findings of an
	// input that have one rule and one cause are one finding, at its first place. It names
	// no role, type or text that only happens to be in the record. "" stands for the
	// message, or with [Rule.OneCause] for the rule.
	Cause string

	// Count is how often the cause occurred in the input, and Places are its first places
	// and the last one, that of the finding included. Both are known at the end of the
	// input, see [Result.Complete]. Before, and with WithEach, Count is 1 and Places nil.
	Count  int
	Places []Spot

	// Fingerprint identifies the rule and the cause in a later run, also on a recording that
	// was made again: 32 hexadecimal digits. With WithEach, equal ones are numbered.
	Fingerprint string
}

// String returns the finding on one line, as in "a.jsonl:3:1: error: block has no end (LMC202)".
func (f Finding) String() string {
	start := f.Place.Span.Start
	return fmt.Sprintf("%s:%d:%d: %s: %s (%s)", f.Path, start.Line, start.Column, f.Severity, f.Message, f.Rule.ID)
}

// Related is another place that a finding refers to, such as the start flag of
// an open block.
type Related struct {
	Message string // a label for the place
	Path    string // "" is that of the finding
	Place   source.Place
}

// Severity is how much a finding matters. The zero value is invalid.
type Severity uint8

// The severities, in ascending order.
const (
	SeverityNote    Severity = iota + 1 // legal, but unusual
	SeverityWarning                     // works, but contradicts the documentation or loses data
	SeverityError                       // violates the protocol
)

// Severities returns all severities, the most severe first.
func Severities() []Severity {
	return []Severity{SeverityError, SeverityWarning, SeverityNote}
}

// String returns error, warning or note.
func (s Severity) String() string {
	names := [...]string{"none", "note", "warning", "error"}
	if int(s) >= len(names) {
		return names[0]
	}
	return names[s]
}

// ParseSeverity returns the severity with a name: error, warning or note.
func ParseSeverity(name string) (Severity, error) {
	for _, s := range Severities() {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q, expected error, warning or note", name)
}

// MarshalText returns the name of the severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the severity from its name.
func (s *Severity) UnmarshalText(text []byte) error {
	parsed, err := ParseSeverity(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}
