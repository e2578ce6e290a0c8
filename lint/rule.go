package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/source"
)

// Rule is one check with its texts and examples. It is the only source of what
// lists, explanations, documents, reports and tests say about the check.
type Rule struct {
	ID           string          // as in "LMC202"; never used again
	Name         string          // as in "unclosed-block"; does not change
	Summary      string          // one line, without a final period
	Rationale    string          // why a user should care: what breaks in which consumer
	Evidence     []string        // documents, recordings and issues that prove it
	Requirements []string        // ids of what docs/protocol.md or docs/workbench.md require and it checks, as in "LMC-STR-2"
	Severity     Severity        // by default
	Severities   []SeverityCase  // where it differs
	Inputs       Inputs          // the kinds of input that it applies to
	Protocol     plugin.Protocol // whose events it answers; nil for a rule about reading, which applies to all
	Fixes        Fixes           // that its findings offer
	OneCause     bool            // all findings of an input have one cause: the rule is all that their producer would have to change
	Bad, Good    []Example

	// New makes the hooks for one conversation, before the first event that they
	// answer. The state of a rule is in the closures that New returns. Their
	// number, and what they answer, must be the same for all conversations of a
	// kind.
	New func(*Pass) []Hook
}

// SeverityCase is a severity that some findings of a rule have instead of the
// rule's own: those that it describes in all of its fields.
type SeverityCase struct {
	Severity Severity `json:"severity"`
	Dialect  string   `json:"dialect,omitempty"` // in this dialect, "" for all
	Inputs   Inputs   `json:"inputs,omitempty"`  // in these kinds of input, 0 for all
	When     string   `json:"when,omitempty"`    // a condition that the rule checks, as in "base64 with line breaks"; "" for all
}

// SeverityText returns the rule's severity and the cases in which it differs, as in
// "warning (docs: error)".
func (r *Rule) SeverityText() string {
	var others []string
	for _, c := range r.Severities {
		others = append(others, c.name()+": "+c.Severity.String())
	}
	if len(others) == 0 {
		return r.Severity.String()
	}
	return fmt.Sprintf("%s (%s)", r.Severity, strings.Join(others, ", "))
}

// name describes the findings of a case, as in "docs" or "01 session".
func (c *SeverityCase) name() string {
	var parts []string
	if c.Dialect != "" {
		parts = append(parts, c.Dialect)
	}
	if c.Inputs != 0 {
		parts = append(parts, strings.Join(c.Inputs.Names(), " or "))
	}
	if c.When != "" {
		parts = append(parts, c.When)
	}
	return strings.Join(parts, " ")
}

// ProtocolName returns the name of the rule's protocol, "any" for a rule about
// reading.
func (r *Rule) ProtocolName() string {
	if r.Protocol == nil {
		return "any"
	}
	return r.Protocol.Name()
}

// Inputs is a set of kinds of input.
type Inputs = plugin.Inputs

// The kinds of input.
const (
	Transcripts = plugin.Transcripts // lists of whole messages
	Streams     = plugin.Streams     // chunks in the order in which they were emitted
	Sessions    = plugin.Sessions    // both directions of a connection
	AnyInput    = plugin.AnyInput
)

// Example is an input that the documentation of a rule shows and its test runs.
type Example struct {
	Name  string        `json:"name"`  // what the example shows, in a few words
	Input string        `json:"input"` // "" if Make makes it
	Make  func() string `json:"-"`     // for an input that is expensive to build, and seldom needed

	Config // what is known about it, without Against

	Against string   `json:"-"`              // a conversation to compare with, "" for none
	Want    []string `json:"want,omitempty"` // findings of a bad example: rule, line and column, as in "LMC202 3:1"
	Edits   []string `json:"-"`              // what the help says to do with a bad example that no fix corrects: texts, each with what replaces it
}

// Text returns the input of the example.
func (e *Example) Text() string {
	if e.Make != nil {
		return e.Make()
	}
	return e.Input
}

// Edited returns the input of a bad example after its edits.
func (e *Example) Edited() string {
	text := e.Text()
	for i := 0; i+1 < len(e.Edits); i += 2 {
		text = strings.Replace(text, e.Edits[i], e.Edits[i+1], 1)
	}
	return text
}

// Hook is a function that answers some kinds of events.
type Hook struct {
	On plugin.Mask
	Do func(event any) // the event is valid during the call
}

// Pass is one rule in one conversation.
type Pass struct {
	Rule     *Rule
	Protocol plugin.Protocol // of the input
	State    any             // what the protocol's session shares with its rules
	Path     string          // name of the input
	Fixing   bool            // of WithFixes: fixes are wanted whole, with the changes of later records

	conversation *conversation
}

// Report reports a finding, unless it has no Message: a rule that finds nothing reports
// the zero Finding. Place is required. A Severity of zero is the rule's own in the dialect
// of the session, and a Path of "" that of the input. Rule and Conversation are filled in.
func (p *Pass) Report(f Finding) { p.ReportUnless(f, nil) }

// ReportUnless is Report for a finding that holds unless the dialect turns out to be one of
// those: it waits until the session knows that.
func (p *Pass) ReportUnless(f Finding, dialects []string) {
	if f.Message != "" {
		p.conversation.report(p, f, dialects)
	}
}

// LastDeferred returns the last finding of the pass that waits for the dialect, or nil.
// A rule may change it by what it learns meanwhile.
func (p *Pass) LastDeferred() *Finding {
	deferred := p.conversation.deferred
	for i := range slices.Backward(deferred) {
		if deferred[i].pass == p {
			return &deferred[i].finding
		}
	}
	return nil
}

// Fix is a change of the input that fixes a finding. It is a struct:
//
//	Message string // what it does, in one line
//	Safe    bool   // each consumer gets the same, or what was plainly meant
//	Edits   []Edit // all to be made, or none; they do not overlap
//	Partial bool   // Edits lacks some: all are there only WithFixes
//	Alone   bool   // it may guess wrong together with the fix of another finding
type Fix = fix.Fix

// Edit is one change of a fix. It is a struct:
//
//	Span   Span   // of the bytes that change, or of the record that Change is about
//	Text   string // replaces the bytes, or is the record to insert
//	Change Change // whether bytes are replaced, or a record is inserted or removed
type Edit = fix.Edit

// Place is where something is in an input. It is a struct:
//
//	Span    Span          // from its first byte to after the last one
//	Record  int           // number of the record, from 0; -1 between records
//	Pointer string        // JSON pointer from the record or the document
//	Time    string        // when the record was sent, "" if that is unknown
//	Excerpt Excerpt       // the line around it, for reports
//	Below   []ExcerptLine // the further lines of a place on several lines
type Place = source.Place

// Span is a range of an input. It is a struct:
//
//	Start Position // of the first byte
//	End   Position // after the last one
type Span = source.Span

// Position is a position in an input. It is a struct:
//
//	Offset int64 // bytes of the decompressed input, from 0
//	Line   int   // lines from 1
//	Column int   // code points from 1
type Position = source.Position

// Fixes is a set of kinds of fixes.
type Fixes uint8

// The kinds of fixes.
const (
	SafeFixes   Fixes = 1 << iota // fixes after which each consumer gets the same, or what was plainly meant
	UnsafeFixes                   // fixes that may guess wrong or lose something
)

// Has reports whether the set contains fixes of a kind.
func (f Fixes) Has(other Fixes) bool { return f&other != 0 }

// Names returns the kinds in words: "safe", "unsafe", both or none.
func (f Fixes) Names() []string {
	var names []string
	if f.Has(SafeFixes) {
		names = append(names, "safe")
	}
	if f.Has(UnsafeFixes) {
		names = append(names, "unsafe")
	}
	return names
}

// String returns the names, as in "safe or unsafe", or "none".
func (f Fixes) String() string {
	if f == 0 {
		return "none"
	}
	return strings.Join(f.Names(), " or ")
}

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
