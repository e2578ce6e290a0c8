package lint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// Finding is one mistake at one place.
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

	// Fingerprint identifies the finding in a later run on the same input: 32
	// hexadecimal digits. It does not depend on the path, the line, the message
	// and the severity. It is empty without WithFingerprints.
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

// FingerprintVersion is the version of fingerprints. Fingerprints of different
// versions cannot be compared.
const FingerprintVersion = "lmclint/v1"

// fingerprints makes the fingerprints of the findings of one input, in their
// order. It keeps 12 bytes per fingerprint, so that no two are equal. The zero
// value is ready for use.
type fingerprints struct {
	seen  map[uint64]uint32 // number of equal findings, by the start of their hash
	facts []byte            // reused
}

// next returns the fingerprint of the next finding. It is a hash of the rule,
// the pointer without array indices, and the excerpt without whitespace, so that
// it stays the same when records are inserted or lines move. Equal findings are
// numbered.
func (p *fingerprints) next(f *Finding) string {
	b := p.facts[:0]
	b = append(append(b, FingerprintVersion...), 0)
	b = append(append(b, f.Rule.ID...), 0)
	for part := range strings.SplitSeq(f.Place.Pointer, "/") {
		if strings.Trim(part, "0123456789") != "" { // the index of an element changes when one is inserted
			b = append(append(b, '/'), part...)
		}
	}
	b = append(b, 0)
	for i := range len(f.Place.Excerpt.Text) {
		if c := f.Place.Excerpt.Text[i]; c > ' ' {
			b = append(b, c)
		}
	}
	sum := sha256.Sum256(b)
	key := binary.BigEndian.Uint64(sum[:])
	if p.seen == nil {
		p.seen = map[uint64]uint32{}
	}
	if before := p.seen[key]; before > 0 {
		sum = sha256.Sum256(binary.BigEndian.AppendUint32(append(b, 0), before))
	}
	p.seen[key]++
	p.facts = b
	return hex.EncodeToString(sum[:16])
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
