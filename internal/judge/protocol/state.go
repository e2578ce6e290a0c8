package protocol

import (
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/schema"
)

// UsualRoles returns the roles that usually send the type and format of a record
// if the record's role is not one of them. It returns nil for a usual role, and for
// one that another rule reports.
func (s *State) UsualRoles(r *lmc.Record) []string {
	if r == nil || r.Invalid&(lmc.InvalidRole|lmc.InvalidType) != 0 || s.Transcript && (NeverStored(r) || s.isReportedSystem(r)) {
		return nil
	}
	t, ok := s.Dialect.Type(r.Type)
	switch {
	case !ok || !s.Dialect.HasRole(r.Role):
		return nil
	case s.Dialect.StrictRoles && !s.Transcript && r.Role == "user":
		return []string{"assistant", "computer"}
	}
	roles := s.Dialect.RolesFor(t, r.Format)
	if slices.Contains(roles, r.Role) {
		return nil
	}
	return roles
}

// IsUserToUser reports whether a record is content of the user that has the user
// as its recipient. LMC122 reports it.
func (s *State) IsUserToUser(r *lmc.Record) bool {
	if r == nil || r.Role != "user" || r.Content == nil || r.Flag() || !s.Dialect.Recipient || s.Transcript && NeverStored(r) {
		return false
	}
	recipient := r.Key("recipient")
	return recipient != nil && recipient.Text() == "user"
}

// isReportedSystem reports whether a message is a system message that LMC506
// reports.
func (s *State) isReportedSystem(r *lmc.Record) bool {
	return r.Role == "system" && (r.Source.Index > 0 || s.Dialect.OwnSystemMessage)
}

// State is the state that a session shares with its rules.
type State struct {
	Kind         string            // of the input
	Part         schema.Part       // the schema for the records of the input
	Transcript   bool              // of Kind
	Dialect      *schema.Dialect   // the current dialect
	DialectNamed bool              // the user named the dialect
	autoRun      bool              // recorded without confirmations
	possible     []*schema.Dialect // what Dialect may turn out to be: findings that do not hold there wait
	record       int               // the number of the current record, from 1
	advised      map[string]int    // the dialects that a help has advised to pass, at which record
	Image        ImageScan         // of the current event
	Against      string            // name of the conversation to compare with, or ""
}

// StateOf returns the state of the session that a pass belongs to.
func StateOf(p *lint.Pass) *State { return p.State.(*State) }

// ShowsBinary reports whether the input may contain binary frames: only a session
// does.
func (s *State) ShowsBinary() bool { return s.Kind == KindSession }

// Confirms reports whether code needs a confirmation before it runs.
func (s *State) Confirms() bool { return s.ConfirmsIn(s.Dialect) }

// ConfirmsIn is Confirms for a dialect.
func (s *State) ConfirmsIn(d *schema.Dialect) bool {
	switch d.Confirmation {
	case schema.ConfirmAlways:
		return true
	case schema.ConfirmUnlessAutoRun:
		return !s.autoRun
	}
	return false
}

// ComparesConfirmations reports whether confirmations are compared with the code.
// Old servers sent some in sessions; no client answers them.
func (s *State) ComparesConfirmations() bool { return s.Kind != KindSession || s.Dialect.NamedGo }

// Events of LMC sessions, after those of package lmc.
const (
	ViolationEvent   = plugin.Mask(lmc.FirstFree) << iota // *Violation: a record violates its schema
	PreLMCEvent                                           // *source.Record: a pre-LMC record
	OtherEventsEvent                                      // *OtherEvents: server-sent events were skipped
	differenceEvent                                       // *agreement.Difference: the stream differs from the stored conversation
)

// Violation is a violation of the schema by a record. It is valid during the
// event.
type Violation struct {
	*validate.Violation
	Record *lmc.Record
	Open   *lmc.Block // the open block that the record may belong to, or nil

	validIn   *schema.Dialect // a dialect that may still be detected, and that allows this, or nil
	explained bool            // by another violation of the record
}

// Place returns where to report the violation.
func (v *Violation) Place() source.Place {
	if v.AtKey {
		return v.Record.Source.PlaceOfKey(v.Node)
	}
	return v.Record.Source.PlaceOf(v.Node)
}

// UnknownWord returns the message for an unknown value of a key.
func (v *Violation) UnknownWord(key string) string {
	if v.Node.Kind != source.String {
		return key + " is " + ValueText(v.Node) + ", expected a string"
	}
	return "unknown " + key + " " + ValueText(v.Node)
}

// IsMissingKey reports whether the record lacks its role, type or format.
func (v *Violation) IsMissingKey() bool {
	return v.Cause == validate.MissingRole || v.Cause == validate.MissingType || v.Cause == validate.MissingFormat
}

// OnViolation reports a finding for each of the violations that the rule of the pass reports.
func OnViolation(p *lint.Pass, finding func(*Violation) lint.Finding) lint.Hook {
	id := p.Rule.ID
	return on(ViolationEvent, func(v *Violation) {
		if ruleOf[v.Cause] != id || v.explained {
			return
		}
		f := finding(v)
		if f.Cause == "" {
			f.Cause = causeOf(v)
		}
		ReportUnless(p, f, func(d *schema.Dialect) bool { return d == v.validIn })
	})
}

// Repeats adds a violation to the finding of its rule for the same cause, and reports
// whether the input has one: then there is nothing else to report, see [lint.Pass.Repeats].
func (v *Violation) Repeats(p *lint.Pass) bool { return v.RepeatsWith(p, causeOf(v)) }

// RepeatsWith is Repeats for a rule with causes of its own.
func (v *Violation) RepeatsWith(p *lint.Pass, cause string) bool {
	at := v.Node.Start
	if v.AtKey && v.Node.NameEnd != 0 {
		at = v.Node.NameStart
	}
	return v.validIn == nil && p.Repeats(cause, v.Record.Source, at)
}

// FindViolations makes the check of a rule that reports a finding for its violations,
// or the zero finding for those that it does not report.
func FindViolations(finding func(*lint.Pass, *Violation) lint.Finding) func(*lint.Pass) []lint.Hook {
	return func(p *lint.Pass) []lint.Hook {
		return []lint.Hook{OnViolation(p, func(v *Violation) lint.Finding { return finding(p, v) })}
	}
}

// ReportViolations makes the check of a rule that reports a finding for each of
// its violations.
func ReportViolations(finding func(*lint.Pass, *Violation) lint.Finding) func(*lint.Pass) []lint.Hook {
	return FindViolations(func(p *lint.Pass, v *Violation) lint.Finding {
		if v.Repeats(p) {
			return lint.Finding{}
		}
		return finding(p, v)
	})
}
