package lint

import (
	"errors"
	"fmt"

	"github.com/lmclint/lmclint/internal/source"
)

// Result is what a run says about its input as a whole.
type Result struct {
	Path     string
	Protocol string
	Kind     string // transcript, stream or session
	Form     source.Form
	Dialect  string // the one in force at the end
	Records  int    // readable or not

	Errors, Warnings, Notes int // findings

	Ignored    []*Rule // those of the rules that were ignored that found something
	Suppressed int     // findings that the processor did not keep
}

// count adds a finding to the result's counts.
func (r *Result) count(s Severity) {
	switch s {
	case SeverityError:
		r.Errors++
	case SeverityWarning:
		r.Warnings++
	case SeverityNote:
		r.Notes++
	}
}

// Findings returns how many findings there were in all.
func (r *Result) Findings() int { return r.Errors + r.Warnings + r.Notes }

// UnknownInputError says that an input is of no protocol that the rules know.
type UnknownInputError struct {
	Looks string // what it looks like, as in "OpenAI chat messages"
}

// Error implements the interface error.
func (e *UnknownInputError) Error() string {
	return "not a conversation that lmclint knows: " + e.Looks
}

// PanicError is a panic in a rule or a protocol, caught so that the findings
// before it are not lost.
type PanicError struct {
	Rule  string // the rule's id; "" if no rule was at work
	Value any    // what was passed to panic
	Stack []byte
}

// Error implements the interface error.
func (e *PanicError) Error() string {
	if e.Rule == "" {
		return fmt.Sprintf("internal error: %v", e.Value)
	}
	return fmt.Sprintf("internal error in rule %s: %v", e.Rule, e.Value)
}

// errStopped is how a consumer that breaks off ends a run.
var errStopped = errors.New("stopped by the consumer")
