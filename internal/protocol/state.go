package protocol

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/plugin"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// usualRoles returns the roles that usually send what a record is, if the
// record's own role is none of them, and nothing where the role is common or
// has been reported already.
func (s *State) UsualRoles(r *lmc.Record) []string {
	if r == nil || r.Invalid&(lmc.InvalidRole|lmc.InvalidType) != 0 || s.Transcript && (NeverStored(r) || lateSystem(r)) {
		return nil
	}
	t, ok := s.Dialect.Type(r.Type)
	switch {
	case !ok || !s.Dialect.HasRole(r.Role):
		return nil
	case s.Dialect.StrictRoles && !s.Transcript && r.Role == "user":
		return []string{"assistant", "computer"}
	case t.HasRole(r.Role):
		return nil
	}
	return t.Roles
}

// lateSystem reports whether a message is a system message that LMC506 finds
// misplaced.
func lateSystem(r *lmc.Record) bool { return r.Role == "system" && r.Source.Index > 0 }

// state is what a session shares with its rules.
type State struct {
	Dialect      *schema.Dialect // the one in force
	Transcript   bool
	session      bool
	autoRun      bool // recorded without confirmations
	allowEmpty   bool
	DialectFixed bool // no record to come can change the dialect
	Images       ImageScans
	Against      string // the conversation to compare with, as messages call it
}

// of returns the state of the session that a pass belongs to.
func StateOf(p *lint.Pass) *State { return p.State.(*State) }

// confirms reports whether the input must hold confirmations.
func (s *State) Confirms() bool {
	switch s.Dialect.Confirmation {
	case schema.ConfirmAlways:
		return true
	case schema.ConfirmUnlessAutoRun:
		return !s.autoRun
	}
	return false
}

// Events of the session's own, behind the tracker's.
const (
	ViolationEvent    = plugin.Mask(lmc.FirstFree) << iota // *violation: a record breaks its schema
	PreLMCEvent                                            // *source.Record: the first record from before LMC
	dialectFixedEvent                                      // nil: the dialect is certain from now on
	differenceEvent                                        // *lmc.Disagreement: the stream and the stored conversation differ
)

// violation is a breach of the schema by a record. It is good while the rules
// are told of it.
type Violation struct {
	*validate.Violation
	Record *lmc.Record
}

// place is where the violation is to be shown.
func (v *Violation) Place() source.Place {
	if v.AtKey {
		return v.Record.Source.PlaceOfKey(v.Node)
	}
	return v.Record.Source.PlaceOf(v.Node)
}

// shown calls the value that is wrong for people.
func (v *Violation) Shown() string {
	if v.Node.Kind == source.String && v.Found != "" {
		return v.Found
	}
	return ValueText(v.Node)
}

// unknownWord says that the value is none that is known for a key.
func (v *Violation) UnknownWord(key string) string {
	if v.Node.Kind != source.String {
		return key + " is " + v.Shown() + ", expected a string"
	}
	return "unknown " + key + " " + v.Shown()
}

// onViolation answers the breaches that are the rule's own.
func OnViolation(p *lint.Pass, do func(*Violation)) lint.Hook {
	id := p.Rule.ID
	return lint.Hook{On: ViolationEvent, Do: func(event any) {
		if v := event.(*Violation); ruleOf[v.Cause] == id {
			do(v)
		}
	}}
}
