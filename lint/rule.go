package lint

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// Rule is one check with everything that is to be said about it. It is the
// only source of what lists, explanations, documents, reports and tests say.
type Rule struct {
	ID         string              // stable and never used again: "LMC202"
	Name       string              // stable too: "unclosed-block"
	Since      string              // release that brought it: "0.1"
	Status     Status              // stable, unless it says otherwise
	Summary    string              // one line, no full stop
	Rationale  string              // why a user should care: what breaks in which consumer
	Evidence   []string            // documents, recordings and issues that it rests on
	Severity   Severity            // by default
	Severities map[string]Severity // by dialect, where it differs
	Inputs     Inputs              // where it applies
	Protocol   Protocol            // whose events it answers; nil for a rule about reading, which every protocol has
	Bad, Good  []Example

	// ByShape are kinds of events that the rule need not hear about a record
	// that has the very keys and values of an earlier one, but for a text, if
	// no rule found anything in that one. See Skimmer.
	ShapeOnly Mask

	// New makes the hooks for one conversation, before the first event that
	// they ask for. What a rule remembers lives in the closures that New
	// returns; how many these are and what they ask for is always the same.
	New func(*Pass) []Hook
}

// SeverityIn returns the rule's default severity in a dialect.
func (r *Rule) SeverityIn(dialect string) Severity {
	if s, ok := r.Severities[dialect]; ok {
		return s
	}
	return r.Severity
}

// ProtocolName is the name of the protocol that the rule is about, "any" for a
// rule about reading.
func (r *Rule) ProtocolName() string {
	if r.Protocol == nil {
		return "any"
	}
	return r.Protocol.Name()
}

// Of reports whether the rule speaks about inputs of a protocol.
func (r *Rule) AppliesTo(p Protocol) bool { return r.Protocol == nil || r.Protocol == p }

// Example is an input that a rule's documentation shows and its test runs. It
// is there when the program starts, and seldom shown: what must be put
// together is put together by Make, when it is asked for.
type Example struct {
	Name     string // what the example shows, in a few words
	Input    string // "" for what Make makes
	Make     func() string
	Protocol string // "" detects
	Dialect  string // "" is the default
	Kind     string // "" detects
	Against  string // a conversation to compare with, "" for none
	AutoRun  bool
	Partial  bool
	Source   source.Options // how the input is read; the zero value is the default
	Want     []string       // for a bad example: "LMC202 3:1", a rule and its line and column, for each finding above no threshold
}

// Text is the input of the example.
func (e *Example) Text() string {
	if e.Make != nil {
		return e.Make()
	}
	return e.Input
}

// Hook is a function that answers some kinds of events.
type Hook struct {
	On Mask
	Do func(event any)

	// Forget, if not nil, has the hook forget the conversation that ended. A
	// rule of which every hook can forget need not make them anew for the next.
	Reset func()
}

// Status is where a rule stands in its life. An id is never used again, also
// when its rule is gone.
type Status uint8

// The states of a rule.
const (
	// Stable rules are on. What they find changes only with a minor release.
	Stable Status = iota
	// Preview rules are new. One is on where its id or name selects it, and
	// may still change.
	Preview
	// Deprecated rules are on, and will be gone with the next minor release.
	Deprecated
)

// String names the status as lists show it.
func (s Status) String() string {
	names := [...]string{"stable", "preview", "deprecated"}
	if int(s) >= len(names) {
		return ""
	}
	return names[s]
}

// selectable leaves out the rules that a selector is too wide for.
func selectable(rules []*Rule, narrow int) []*Rule {
	if narrow == ExactSpecificity {
		return rules
	}
	return slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Status == Preview })
}

// Pass is one rule's run over one conversation.
type Pass struct {
	Rule     *Rule
	Protocol Protocol // the input's; a rule about reading has none of its own
	State    any      // what the protocol's session shares with its rules
	Path     string   // of the input, as findings name it

	report func(*Pass, Finding)
}

// Report reports a finding. Place and Message are required; a Severity of
// zero means the rule's own in the session's dialect, a Path of "" the input.
// Rule and Conversation are filled in.
func (p *Pass) Report(f Finding) { p.report(p, f) }
