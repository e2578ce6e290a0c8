package protocol

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/schema"
)

// checkShape validates a record.
func (s *lmcSession) checkShape(r *lmc.Record) {
	if s.state.Transcript && NeverStored(r) {
		return
	}
	violations := s.check(s.validator, r)
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

// checkOtherKeys validates a record with a duplicate key by its other keys. What the
// record means is unknown.
func (s *lmcSession) checkOtherKeys(src *source.Record) {
	isOther := func(p source.Problem) bool { return p.IsFatal() && p.Kind != source.DuplicateKey }
	if src.Root == nil || src.Root.Kind != source.Object || slices.ContainsFunc(src.Problems, isOther) {
		return
	}
	root, omitted := *src.Root, map[string]bool{}
	for i, n := range root.Children {
		omitted[n.Name] = omitted[n.Name] || len(n.Children) > 0 || // a key in it may be the duplicate
			slices.ContainsFunc(root.Children[:i], func(before source.Node) bool { return before.Name == n.Name })
	}
	root.Children = slices.DeleteFunc(slices.Clone(root.Children), func(n source.Node) bool { return omitted[n.Name] })
	r := &s.view
	r.View(src)
	if s.state.Transcript && NeverStored(r) {
		return
	}
	violations, err := s.validator.Check(&root, s.state.Part)
	if err != nil {
		panic(fmt.Errorf("validate a record: %w", err))
	}
	lacksFlag := omitted["start"] || omitted[s.state.Dialect.EndKey]
	violations = slices.DeleteFunc(violations, func(v validate.Violation) bool {
		return omitted[v.Key] || v.Cause == validate.MissingContent && lacksFlag
	})
	s.emitViolations(r, violations)
}

// check returns the violations of a record in the dialect of a validator.
func (s *lmcSession) check(v *validate.Validator, r *lmc.Record) []validate.Violation {
	violations, err := v.Check(r.Root, s.state.Part)
	if err != nil {
		panic(fmt.Errorf("validate a record: %w", err)) // the engine reports it and keeps the other findings
	}
	if r.HasNulls() && !HasNothing(r) {
		return appendNulls(violations, v.Dialect(), s.state.Part, r)
	}
	return violations
}

// appendNulls appends the violation that members are null, unless the dialect allows
// each of them to be null, or the record needs it: that it is missing is the mistake then.
func appendNulls(violations []validate.Violation, d *schema.Dialect, part schema.Part, r *lmc.Record) []validate.Violation {
	nulls := validate.Violation{Cause: validate.NullMember, Type: r.Type}
	for i := range r.Source.Root.Children {
		n := &r.Source.Root.Children[i]
		isNeeded := func(v validate.Violation) bool {
			return v.IsMissing(n.Name) || v.IsMissing(meantKey(n.Name)) || v.Cause == validate.MissingContent && !d.HasKey(part, n.Name)
		}
		if r.Null(n.Name) != n || slices.Contains(d.KeyTypes[n.Name], source.Null.String()) || slices.ContainsFunc(violations, isNeeded) {
			continue
		}
		if nulls.Node == nil {
			nulls.Node = n
		}
		nulls.Expected = append(nulls.Expected, n.Name)
	}
	if nulls.Node == nil {
		return violations
	}
	return append(violations, nulls)
}

// emitViolations passes the violations of a record to the rules, and marks what they make
// invalid.
func (s *lmcSession) emitViolations(r *lmc.Record, violations []validate.Violation) {
	open := s.tracker.OpenFor(r) // the block that it may belong to
	if open != nil && (open.Stray || r.Start && r.Content == nil) {
		open = nil
	}
	flagged := r.Flag() && slices.ContainsFunc(violations, func(v validate.Violation) bool { return v.Cause == validate.MissingContent })
	validIn := s.validInFork(r)
	for i := range violations {
		parts := invalidParts(violations[i].Cause, r)
		r.Invalid |= parts
		if flagged && parts == lmc.InvalidFormat {
			continue // the type takes no flags, so that the type may be the mistake
		}
		s.violation = Violation{
			Violation: &violations[i], Record: r, Open: open, validIn: validIn(&violations[i]),
			explained: violations[i].Cause == validate.MissingType && IsSomethingElse(r),
		}
		s.dispatch(ViolationEvent, &s.violation)
	}
}

// validInFork returns a function of a violation of a record. It returns the dialect of the
// fork if the record is valid in that respect there, and the dialect may turn out to be that
// one; else nil.
func (s *lmcSession) validInFork(r *lmc.Record) func(*validate.Violation) *schema.Dialect {
	fork := s.shared.fork.Dialect()
	if !slices.Contains(s.state.possible, fork) {
		return func(*validate.Violation) *schema.Dialect { return nil }
	}
	violations := s.check(s.shared.fork, r)
	return func(v *validate.Violation) *schema.Dialect {
		if slices.ContainsFunc(violations, func(other validate.Violation) bool { return other.Cause == v.Cause && other.Key == v.Key }) {
			return nil
		}
		return fork
	}
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
