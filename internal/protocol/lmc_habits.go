package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/validate"
)

// maxHeld is how many violations a habit keeps while a record may still show that the
// producer does not make the mistake in each record. More violations are a habit.
const maxHeld = 8

// habits are the mistakes that a producer makes in each record that could have them:
// it sends no role, or its flags together with content. Each is one finding, at the
// first record, with the number of records. The violations are kept until a record
// without the mistake shows that the producer does not always make it, or the
// conversation ends.
//
// Records of the fast path are followed, too: both paths must agree.
type habits struct {
	roleless, conflicting habit

	role, start, end bool // a record was seen that has a role, is only a start, is only an end
}

type habit struct {
	held  []*lmc.Record // the first records, at most maxHeld; clones
	count int
}

// of returns the habit that a violation may be one of, or nil.
func (h *habits) of(cause validate.Cause, r *lmc.Record) *habit {
	switch {
	case cause == validate.MissingRole && !h.role:
		return &h.roleless
	case cause == validate.ConflictingKeys && (!r.Start || !h.start) && (!r.End || !h.end):
		return &h.conflicting
	}
	return nil
}

// followHabits follows the habits over a record, which may show something new.
func (s *lmcSession) followHabits(r *lmc.Record) {
	h := &s.habits
	role := h.role || r.Role != ""
	start, end := h.start || r.Start && !r.End && r.Content == nil, h.end || r.End && !r.Start && r.Content == nil
	if role == h.role && start == h.start && end == h.end {
		return
	}
	h.role, h.start, h.end = role, start, end
	if h.role {
		s.release(&h.roleless, validate.MissingRole, true)
	}
	if c := &h.conflicting; c.count > 0 && h.of(validate.ConflictingKeys, c.held[0]) == nil {
		s.release(c, validate.ConflictingKeys, true)
	}
}

// holds holds a violation that may be one of a habit. A program that stops at the
// first finding cannot wait, and one that fixes them needs each.
func (s *lmcSession) holds(v *validate.Violation, r *lmc.Record) bool {
	if s.shared.config.Immediate || s.shared.config.Fixing {
		return false
	}
	h := s.habits.of(v.Cause, r)
	if h == nil {
		return false
	}
	if h.count += 1 + r.Source.Skipped; len(h.held) < maxHeld {
		h.held = append(h.held, r.Clone())
	}
	return true
}

// release reports the violations that a habit keeps: the first one with their number,
// or each of them if they are few and another record refuted the habit.
func (s *lmcSession) release(h *habit, cause validate.Cause, refuted bool) {
	held, count := h.held, h.count
	*h = habit{}
	if count > maxHeld || !refuted && count > 1 {
		held = held[:1]
	} else {
		count = 0
	}
	for _, r := range held {
		s.emitHeld(r, cause, count)
	}
}

// emitHeld emits a violation of a held record.
func (s *lmcSession) emitHeld(r *lmc.Record, cause validate.Cause, count int) {
	violations, err := s.validator.Check(r.Source.Root, s.part)
	if err != nil {
		panic(fmt.Errorf("validate a record: %w", err))
	}
	i := slices.IndexFunc(violations, func(v validate.Violation) bool { return v.Cause == cause })
	if i >= 0 { // else the dialect turned out to be another
		s.dispatch(ViolationEvent, &Violation{Violation: &violations[i], Record: r, Count: count, validIn: s.validIn(&violations[i], r)})
	}
}

// endHabits reports the habits of the conversation, which ends.
func (s *lmcSession) endHabits() {
	s.release(&s.habits.roleless, validate.MissingRole, false)
	s.release(&s.habits.conflicting, validate.ConflictingKeys, false)
}
