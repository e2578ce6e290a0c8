package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/session"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/validate"
)

// checkShape validates a record, and marks its invalid parts.
func (s *lmcSession) checkShape(r *lmc.Record) {
	if s.state.Transcript && NeverStored(r) {
		return
	}
	violations, err := s.validator.Append(s.violations[:0], r.Source.Root, s.part)
	if err != nil {
		// The engine reports an internal error and keeps the other findings.
		panic(fmt.Errorf("validate a record: %w", err))
	}
	s.violations = violations
	flagged := r.Flag() && slices.ContainsFunc(violations, func(v validate.Violation) bool { return v.Cause == validate.MissingContent })
	for i := range violations {
		parts := invalidParts(violations[i].Cause, r)
		r.Invalid |= parts
		if flagged && parts == lmc.InvalidFormat {
			continue // the type takes no flags, so that the type may be the mistake
		}
		if s.isReportedAtStart(&violations[i], r) {
			continue
		}
		s.violation = Violation{&violations[i], r, s.openBlock(r), s.isValidInFork(&violations[i], r)}
		s.emit(ViolationEvent, &s.violation)
	}
	if r.Type == "code" {
		s.setLanguage(r)
	}
}

// openBlock returns the block with a start flag that is open before a record
// without one, or nil.
func (s *lmcSession) openBlock(r *lmc.Record) *lmc.Block {
	var b *lmc.Block
	switch t := s.tracker.(type) {
	case *lmc.Tracker:
		b = t.Open()
	case *session.Session:
		b = t.Open(r.Source.Direction == source.Sent)
	}
	if b == nil || b.Stray || r.Start {
		return nil
	}
	return b
}

// isValidInFork reports whether the record is valid in that respect in the fork's
// dialect, while it is not decided whether the input comes from there.
func (s *lmcSession) isValidInFork(v *validate.Violation, r *lmc.Record) bool {
	if !s.state.mayBeFork {
		return false
	}
	others, err := s.factory.fork.Append(nil, r.Source.Root, s.part)
	if err != nil {
		panic(fmt.Errorf("validate a record: %w", err))
	}
	return !slices.ContainsFunc(others, func(other validate.Violation) bool { return other.Cause == v.Cause && other.Key == v.Key })
}

// isReportedAtStart reports whether the start of the record's block has the
// same violation: its type is unknown, or takes no flags.
func (s *lmcSession) isReportedAtStart(v *validate.Violation, r *lmc.Record) bool {
	switch {
	case v.Cause == validate.UnknownType && r.Type != "":
		t, ok := s.tracker.(interface{ ContinuesUnknown(*lmc.Record) bool })
		return ok && t.ContinuesUnknown(r)
	case v.Cause == validate.MissingContent && r.Flag():
		before := s.flaglessStart
		s.flaglessStart = ""
		if r.Start {
			s.flaglessStart = r.Type
		}
		return !r.Start && before != "" && before == r.Type
	}
	return false
}

// setLanguage sets the language of code. If a start flag does not use the
// canonical spelling, the format of its content is used.
func (s *lmcSession) setLanguage(r *lmc.Record) {
	language, exact, ok := s.state.Dialect.Language(r.Format)
	if ok {
		r.Language = language.Name
	}
	if r.Start && !exact && !s.state.Dialect.IsNote(r.Format) {
		r.Invalid |= lmc.InvalidLanguage
	}
}

// NeverStored reports whether a transcript must not contain the record. Rules
// of the family transcript report such records; their shape is not checked.
func NeverStored(r *lmc.Record) bool {
	return IsChunk(r) || IsEphemeral(r) || IsCommand(r)
}

// IsChunk reports whether a record of a transcript is a chunk of a stream.
func IsChunk(r *lmc.Record) bool { return r.Flag() }

// IsEphemeral reports whether a record is of a type that is only streamed.
func IsEphemeral(r *lmc.Record) bool {
	switch {
	case r.Role == "server", r.Type == "confirmation", r.Type == "review":
		return true
	case r.Type == "view_image_approval", r.Type == "stop_live_display":
		return true
	case r.Type == "console" && r.Format == "active_line":
		return true
	}
	return r.Role == "" && (r.Key("auth") != nil || r.Key("ack") != nil)
}

// IsCommand reports whether a record is a user command to the server.
func IsCommand(r *lmc.Record) bool { return r.Role == "user" && r.Type == "command" }
