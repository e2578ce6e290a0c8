package rules

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// state is what a session shares with its rules.
type state struct {
	dialect    *schema.Dialect // the one in force
	transcript bool
	session    bool
	autoRun    bool // recorded without confirmations
	allowEmpty bool
	settled    bool // no record to come can change the dialect
	pictures   imageScans
	against    string // the conversation to compare with, as messages call it
}

// of returns the state of the session that a pass belongs to.
func stateOf(p *lint.Pass) *state { return p.State.(*state) }

// confirms reports whether the input must hold confirmations.
func (s *state) confirms() bool {
	switch s.dialect.Confirmation {
	case schema.ConfirmAlways:
		return true
	case schema.ConfirmUnlessAutoRun:
		return !s.autoRun
	}
	return false
}

// Events of the session's own, behind the tracker's.
const (
	violationEvent    = lint.Mask(lmc.FirstFree) << iota // *violation: a record breaks its schema
	oldRecordMet                                         // *source.Record: the first record from before LMC
	dialectFixedEvent                                    // nil: the dialect is certain from now on
	disagreementMet                                      // *lmc.Disagreement: the stream and the stored conversation differ
)

// violation is a breach of the schema by a record. It is good while the rules
// are told of it.
type violation struct {
	*schema.Violation
	record *lmc.Record
}

// place is where the violation is to be shown.
func (v *violation) place() source.Place {
	if v.AtKey {
		return v.record.Source.PlaceOfKey(v.Node)
	}
	return v.record.Source.PlaceOf(v.Node)
}

// shown calls the value that is wrong for people.
func (v *violation) shown() string {
	if v.Node.Kind == source.String && v.Found != "" {
		return v.Found
	}
	return valueText(v.Node)
}

// unknownWord says that the value is none that is known for a key.
func (v *violation) unknownWord(key string) string {
	if v.Node.Kind != source.String {
		return key + " is " + v.shown() + ", expected a string"
	}
	return "unknown " + key + " " + v.shown()
}

// onViolation answers the breaches that are the rule's own.
func onViolation(p *lint.Pass, do func(*violation)) lint.Hook {
	id := p.Rule.ID
	return lint.Hook{On: violationEvent, Do: func(event any) {
		if v := event.(*violation); v.Rule == id {
			do(v)
		}
	}}
}
