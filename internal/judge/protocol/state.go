package protocol

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/model/session"
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

// Events of LMC sessions, after those of package session.
const (
	ViolationEvent   = plugin.Mask(1) << (session.KindCount + iota) // *Violation: a record violates its schema
	PreLMCEvent                                                     // *source.Record: a pre-LMC record
	OtherEventsEvent                                                // *OtherEvents: server-sent events were skipped
	differenceEvent                                                 // *agreement.Difference: the stream differs from the stored conversation
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
	var mine uint64 // the causes that the rule reports
	for cause, rule := range ruleOf {
		if rule == p.Rule.ID {
			mine |= 1 << cause
		}
	}
	return on(ViolationEvent, func(v *Violation) {
		if mine&(1<<v.Cause) == 0 || v.explained {
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

// causeOf returns what the producer of a record would have to change, as
// [lint.Finding.Cause]: the key or the value that it writes, whatever else is in the record.
func causeOf(v *Violation) string {
	switch v.Cause {
	case validate.MissingRole, validate.MissingType, validate.MissingFormat, validate.MissingContent, validate.MissingKey:
		key := v.Key
		switch {
		case v.Cause == validate.MissingContent:
			key = "content"
		case v.Node != v.Record.Root:
			return key + " is " + ValueText(v.Node) // it is there, and empty
		}
		members := v.Record.Root.Children
		i := slices.IndexFunc(members, func(n source.Node) bool { return n.Name != key && meantKey(n.Name) == key })
		switch {
		case i >= 0:
			return Quoted(members[i].Name) + " for " + key
		case v.Cause == validate.MissingRole && IsSomethingElse(v.Record):
			return "neither role nor type"
		}
		if known, ok := missingCauses[key]; ok {
			return known
		}
		return "no " + key
	case validate.UnknownKey:
		return v.Key
	case validate.WrongContentType:
		return KindWord(v.Node)
	case validate.InvalidConfirmation, validate.WrongKeyType, validate.InvalidActiveLine:
		return v.Key + " " + KindWord(v.Node)
	case validate.LegacyConfirmation, validate.OtherEndKey:
		return v.Key
	case validate.InvalidFlag:
		return KindWord(v.Node)
	case validate.UnknownRole, validate.UnknownType, validate.InvalidFormat:
		return v.wordCause()
	}
	return ValueText(v.Node)
}

// missingCauses are the causes of keys that are missing in each record of an input.
var missingCauses = map[string]string{"role": "no role", "type": "no type", "format": "no format", "content": "no content"}

// wordCause returns the cause of an unexpected value: how it is written
// if one of those expected is in it, whichever that is.
func (v *Violation) wordCause() string {
	if v.Node.Kind != source.String {
		return KindWord(v.Node)
	}
	suggested := v.Suggest()
	switch text := v.Node.Text(); {
	case len(text) >= 3 && len(text) < len(suggested.Nearest) && strings.HasPrefix(suggested.Nearest, strings.ToLower(text)):
		return "truncated"
	case suggested.Within == "":
		if text != "" && strings.Trim(text, "0123456789") == "" {
			return "a number as a string"
		}
		return ValueText(v.Node)
	case strings.EqualFold(strings.TrimSpace(text), suggested.Within):
		return "another case"
	}
	if role := v.Record.Role; len(role) > 1 { // written into the type, too
		return WayOfWriting(strings.ReplaceAll(suggested.Rest, role, "…"))
	}
	return WayOfWriting(suggested.Rest)
}

// WayOfWriting returns the cause of words that have one of the protocol's in them, by what
// they are without it.
func WayOfWriting(rest string) string {
	if _, ok := flagWords[afterWord(rest)]; ok {
		return "… and a flag"
	}
	return rest
}

// FlagWord returns the flag that a word appended to a type means, start or end, or "".
func FlagWord(rest string) string { return flagWords[afterWord(rest)] }

func afterWord(rest string) string {
	if !strings.HasPrefix(rest, "…") {
		return ""
	}
	return strings.Trim(rest, "… _-.:/")
}

// flagWords are what programs append to the name of a type, by the flag that they send
// instead.
var flagWords = map[string]string{
	"start": "start", "begin": "start", "started": "start",
	"end": "end", "stop": "end", "done": "end", "finished": "end",
	"delta": "", "content": "",
}

// ruleOf names the rule that reports a cause. Package validate does not know
// rules.
var ruleOf = [...]string{
	validate.MissingRole:             "LMC101",
	validate.UnknownRole:             "LMC102",
	validate.MissingType:             "LMC103",
	validate.UnknownType:             "LMC104",
	validate.MissingFormat:           "LMC105",
	validate.InvalidFormat:           "LMC106",
	validate.UnexpectedFormat:        "LMC107",
	validate.MissingContent:          "LMC108",
	validate.WrongContentType:        "LMC109",
	validate.UnknownKey:              "LMC110",
	validate.InvalidFlag:             "LMC111",
	validate.ConflictingKeys:         "LMC112",
	validate.InvalidConfirmation:     "LMC113",
	validate.LegacyConfirmation:      "LMC114",
	validate.InvalidRecipient:        "LMC115",
	validate.OtherEndKey:             "LMC120",
	validate.InvalidActiveLine:       "LMC307",
	validate.MissingKey:              "LMC123",
	validate.WrongKeyType:            "LMC124",
	validate.NullMember:              "LMC125",
	validate.UnknownMessageType:      "WB001",
	validate.CommandResponseSpelling: "WB002",
	validate.MissingField:            "WB003",
	validate.WrongField:              "WB004",
	validate.UnknownParticipantRole:  "WB005",
	validate.InvalidUUID:             "WB006",
	validate.InvalidTime:             "WB007",
	validate.InvalidDirectedAt:       "WB110",
	validate.InvalidFooterItems:      "WB115",
	validate.InvalidToolLink:         "WB118",
	validate.UnknownEvent:            "WB201",
	validate.InvalidEventData:        "WB202",
	validate.InvalidExportRecord:     "WB301",
}

// One mistake is one finding. What explains what is decided in three layers:
// within a record by package validate, from a record to the stream by
// invalidations, and from the stream to the rules by explanations.

// invalidation says which parts of a record a cause makes invalid. The tracker
// does not check the stream by invalid parts.
type invalidation struct {
	by        validate.Cause
	when      string                 // condition on the record in words, or ""
	is        func(*lmc.Record) bool // the condition, or nil
	parts     lmc.InvalidParts
	principle string
}

const (
	takenFromContent = "a start with a missing or unknown role or type takes them from its first content or end flag"
	formatReported   = "a start whose format is reported takes the format of its content"
	noPlainEvent     = "a record whose event is not plain explains the next anomaly"
)

// invalidations is the table of what a violation in a record explains in the
// stream. A cause that is not listed leaves the record valid for the tracker.
var invalidations = []invalidation{
	{by: validate.MissingRole, parts: lmc.InvalidRole, principle: takenFromContent},
	{by: validate.MissingRole, when: "it has no type", is: hasNoType, parts: lmc.InvalidType, principle: "a record that has nothing lacks its role only"},
	{by: validate.UnknownRole, parts: lmc.InvalidRole, principle: takenFromContent},
	{by: validate.MissingType, parts: lmc.InvalidType, principle: takenFromContent},
	{by: validate.UnknownType, parts: lmc.InvalidType, principle: takenFromContent},
	{by: validate.MissingFormat, parts: lmc.InvalidFormat, principle: formatReported},
	{by: validate.InvalidFormat, parts: lmc.InvalidFormat, principle: formatReported},
	{by: validate.UnexpectedFormat, parts: lmc.InvalidFormat, principle: formatReported},
	{by: validate.MissingContent, parts: lmc.InvalidContent, principle: noPlainEvent},
	{by: validate.MissingContent, when: "it is a flag", is: (*lmc.Record).Flag, parts: lmc.InvalidType | lmc.InvalidFormat, principle: "a flag of a type without flags may have any type"},
	{by: validate.WrongContentType, parts: lmc.InvalidContent, principle: "invalid content is not checked"},
	{by: validate.ConflictingKeys, parts: lmc.InvalidContent, principle: "a chunk with content and end closes its block softly"},
	{by: validate.InvalidActiveLine, parts: lmc.InvalidLine, principle: "invalid content is not checked"},
}

func hasNoType(r *lmc.Record) bool { return r.Type == "" }

// invalidParts returns which parts of a record a cause makes invalid.
func invalidParts(cause validate.Cause, r *lmc.Record) (parts lmc.InvalidParts) {
	for i := range invalidations {
		if v := &invalidations[i]; v.by == cause && (v.is == nil || v.is(r)) {
			parts |= v.parts
		}
	}
	return parts
}

// condition is a state of the stream in which a rule reports nothing, because
// another finding explains what it sees.
type condition struct {
	words     string
	is        func(event any) bool
	principle string
}

const (
	lostRecord       = "a block that lost a record to LMC0xx or LMC1xx is not checked by its content"
	resynchronize    = "after a finding the tracker resynchronizes, so that the next record is checked on its own"
	lateConfirmation = "a confirmation that follows its execution is the same mistake as LMC301"
)

var (
	blockLossy            = condition{"a record of the block is unreadable or invalid", of(func(b *lmc.Block) bool { return b.Lossy }), lostRecord}
	blockCut              = condition{"the block has no end flag", of(func(b *lmc.Block) bool { return b.Cut }), resynchronize}
	blockStray            = condition{"the block has no start flag", of(func(b *lmc.Block) bool { return b.Stray }), resynchronize}
	codeLossy             = condition{"the text of the code is uncertain", of(func(c *lmc.Code) bool { return c.Lossy }), lostRecord}
	codeEmpty             = condition{"the code is empty (LMC207 or LMC208)", of(func(c *lmc.Code) bool { return c.Text.Bytes == 0 }), "one mistake is one finding"}
	codeIsEdit            = condition{"what runs is an edit", of(func(c *lmc.Code) bool { return c.Edit }), "a tool that edits a file runs no lines"}
	runLossy              = condition{"a record of the execution is unreadable or invalid", of(func(r *lmc.Run) bool { return r.Lossy }), lostRecord}
	runWithoutCode        = condition{"no code precedes the execution (LMC306)", of(func(r *lmc.Run) bool { return r.NoCode }), resynchronize}
	confirmationReported  = condition{"the confirmation is reported already", of(func(a *lmc.ConfirmationRequest) bool { return a.Reported }), lateConfirmation}
	confirmationMisplaced = condition{"the last confirmation was misplaced", of(func(c *lmc.Code) bool { return c.Misplaced }), lateConfirmation}
	recordNoRole          = condition{"the record lacks its role or has an invalid one", of(func(r *lmc.Record) bool { return r.HasInvalid(lmc.InvalidRole) }), "a record without a role may belong elsewhere"}
	recordInvalid         = condition{"the record is invalid (LMC1xx)", of(func(r *lmc.Record) bool { return r.Invalid != 0 }), "invalid content is not checked"}
)

// of makes a condition on a part of an event. What has no such part is not explained.
func of[P any](is func(*P) bool) func(any) bool {
	return func(event any) bool {
		part := lmc.PartOf[P](event)
		return part != nil && is(part)
	}
}

// explanations is the table of what explains an anomaly to a rule.
var explanations = map[string][]condition{
	"LMC207": {blockLossy, blockCut},
	"LMC208": {recordInvalid},
	"LMC209": {recordInvalid},
	"LMC210": {blockLossy},
	"LMC302": {confirmationReported},
	"LMC303": {confirmationReported},
	"LMC304": {confirmationReported, codeLossy},
	"LMC305": {confirmationReported, confirmationMisplaced},
	"LMC308": {codeLossy, codeIsEdit},
	"LMC309": {recordInvalid},
	"LMC310": {runLossy, runWithoutCode, codeIsEdit},
	"LMC311": {codeLossy, codeEmpty},
	"LMC503": {recordNoRole},
	"LMC404": {blockLossy, blockStray},
	"LMC408": {blockLossy},
	"LMC410": {blockCut},
	"LMC610": {blockLossy, blockCut},
}

// Explained reports whether another finding explains the anomaly that a rule
// sees in an event, so that the rule reports nothing.
func Explained(p *lint.Pass, event any) bool {
	for _, c := range explanations[p.Rule.ID] {
		if c.is(event) {
			return true
		}
	}
	return false
}
