package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/schema"
)

// checkShape validates a record.
func (s *lmcSession) checkShape(r *lmc.Record) {
	if s.state.Transcript && NeverStored(r) {
		return
	}
	if (s.state.Transcript || len(r.Source.Root.Children) == 0) && s.foreign.repeatsObject(r) {
		r.Invalid, s.hasFinding = s.foreign.invalid, true // that of the first
		if h := &s.habits[rolelessHabit]; h.count > 0 {
			h.count += 1 + r.Source.Skipped
		}
		return
	}
	violations := s.check(s.validator, r)
	s.followHabits(r)
	if len(violations) > 0 {
		s.emitViolations(r, violations)
	}
	if r.Type != "code" {
		return
	}
	language, exact, ok := s.state.Dialect.Language(r.Format)
	if ok {
		r.Language = language.Name
	}
	if r.Start && !exact && !s.state.Dialect.IsNote(r.Format) { // that of its content is used
		r.Invalid |= lmc.InvalidLanguage
	}
}

// check returns the violations of a record in the dialect of a validator.
func (s *lmcSession) check(v *validate.Validator, r *lmc.Record) []validate.Violation {
	violations, err := v.Check(r.Source.Root, s.state.Part)
	if err != nil {
		panic(fmt.Errorf("validate a record: %w", err)) // the engine reports it and keeps the other findings
	}
	return violations
}

// emitViolations passes the violations of a record to the rules, and marks what they make
// invalid.
func (s *lmcSession) emitViolations(r *lmc.Record, violations []validate.Violation) {
	open := s.tracker.OpenFor(r) // the block that it may belong to
	if open != nil && (open.Stray || r.Start) {
		open = nil
	}
	flagged := r.Flag() && slices.ContainsFunc(violations, func(v validate.Violation) bool { return v.Cause == validate.MissingContent })
	for i := range violations {
		parts := invalidParts(violations[i].Cause, r)
		r.Invalid |= parts
		if flagged && parts == lmc.InvalidFormat {
			continue // the type takes no flags, so that the type may be the mistake
		}
		s.violation = Violation{
			Violation: &violations[i], Record: r, Open: open, validIn: s.validIn(&violations[i], r),
			repeated:  s.isRepeated(&violations[i], r, open),
			explained: violations[i].Cause == validate.MissingType && IsSomethingElse(r) || s.holds(&violations[i], r),
		}
		s.dispatch(ViolationEvent, &s.violation)
	}
	s.foreign.invalid = r.Invalid
}

// validIn returns the dialect of the fork if the record is valid in that respect there,
// and the dialect may turn out to be that one; else nil.
func (s *lmcSession) validIn(v *validate.Violation, r *lmc.Record) *schema.Dialect {
	fork := s.shared.fork.Dialect()
	if !slices.Contains(s.state.possible, fork) {
		return nil
	}
	if slices.ContainsFunc(s.check(s.shared.fork, r), func(other validate.Violation) bool { return other.Cause == v.Cause && other.Key == v.Key }) {
		return nil
	}
	return fork
}

// NeverStored reports whether a transcript must not contain the record, such as a chunk
// of a stream. Rules of the family transcript report such records; their shape is not
// checked.
func NeverStored(r *lmc.Record) bool {
	return r.Flag() || IsEphemeral(r) || IsCommand(r)
}

// IsEphemeral reports whether a record is of a type that is only streamed.
func IsEphemeral(r *lmc.Record) bool {
	switch {
	case IsServerFrame(r), r.Type == "confirmation", r.Type == "review":
		return true
	case r.Type == "view_image_approval", r.Type == "stop_live_display":
		return true
	case r.Type == "console" && r.Format == "active_line":
		return true
	}
	return false
}

// IsServerFrame reports whether a record is a frame of the server, or auth or ack.
func IsServerFrame(r *lmc.Record) bool {
	return r.Role == "server" || r.Role == "" && (r.Key("auth") != nil || r.Key("ack") != nil)
}

// IsCommand reports whether a record is a user command to the server.
func IsCommand(r *lmc.Record) bool { return r.Role == "user" && r.Type == "command" }
