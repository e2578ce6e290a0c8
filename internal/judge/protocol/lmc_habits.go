package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
)

// maxHeld is how many violations a habit keeps while a record may still show that the
// producer does not make the mistake in each record. More violations are a habit.
const maxHeld = 8

// habitKinds are the mistakes that a producer makes in each record that could have them:
// it sends no role, or its flags together with content. Each is one finding, at the
// first record, with the number of records. The violations are kept until a record
// without the mistake shows that the producer does not always make it, or the
// conversation ends.
//
// Records of the fast path are followed, too: both paths must agree.
var habitKinds = [...]struct {
	cause validate.Cause
	mayBe func(r *lmc.Record, seen seenRecords) bool // whether the violation of a record may be one of the habit
}{
	rolelessHabit:    {validate.MissingRole, func(_ *lmc.Record, seen seenRecords) bool { return !seen.role }},
	conflictingHabit: {validate.ConflictingKeys, func(r *lmc.Record, seen seenRecords) bool { return (!r.Start || !seen.start) && (!r.End || !seen.end) }},
}

// The indexes of habitKinds.
const (
	rolelessHabit = iota
	conflictingHabit
)

// seenRecords says whether a record was seen that has a role, is only a start, is only an end.
type seenRecords struct{ role, start, end bool }

// habit is what was seen of one of habitKinds.
type habit struct {
	held  []*lmc.Record // the first records with the violation, at most maxHeld; clones
	count int           // of the records with it
}

// followHabits follows the habits over a record, which may show something new.
func (s *lmcSession) followHabits(r *lmc.Record) {
	before, isFlag := s.seen, r.Start != r.End && r.Content == nil
	s.seen = seenRecords{before.role || r.Role != "", before.start || r.Start && isFlag, before.end || r.End && isFlag}
	if s.seen == before {
		return
	}
	for kind := range s.habits {
		if h := &s.habits[kind]; h.count > 0 && !habitKinds[kind].mayBe(h.held[0], s.seen) {
			s.release(kind, true)
		}
	}
}

// holds holds a violation that may be one of a habit. A program that stops at the
// first finding cannot wait, and one that fixes them needs each.
func (s *lmcSession) holds(v *validate.Violation, r *lmc.Record) bool {
	for kind := range s.habits {
		if habitKinds[kind].cause == v.Cause && habitKinds[kind].mayBe(r, s.seen) && !s.shared.config.Immediate && !s.shared.config.Fixing {
			h := &s.habits[kind]
			if h.count += 1 + r.Source.Skipped; len(h.held) < maxHeld {
				h.held = append(h.held, r.Clone())
			}
			return true
		}
	}
	return false
}

// release reports the violations that a habit keeps: the first one with their number,
// or each of them if they are few and another record refuted the habit.
func (s *lmcSession) release(kind int, refuted bool) {
	held, count := s.habits[kind].held, s.habits[kind].count
	s.habits[kind] = habit{}
	if count > maxHeld || !refuted && count > 1 {
		held = held[:1]
	} else {
		count = 0
	}
	for _, r := range held {
		s.emitHeld(r, habitKinds[kind].cause, count)
	}
}

// emitHeld emits a violation of a held record.
func (s *lmcSession) emitHeld(r *lmc.Record, cause validate.Cause, count int) {
	violations := s.check(s.validator, r)
	i := slices.IndexFunc(violations, func(v validate.Violation) bool { return v.Cause == cause })
	if i >= 0 { // else the dialect turned out to be another
		s.dispatch(ViolationEvent, &Violation{Violation: &violations[i], Record: r, Count: count, validIn: s.validIn(&violations[i], r)})
	}
}
