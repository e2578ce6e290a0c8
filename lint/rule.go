package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
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
