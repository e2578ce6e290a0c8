package protocol

import (
	"github.com/lmclint/lmclint/internal/judge/validate"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/lint"
)

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
	is        func(*lmc.Event) bool
	principle string
}

const (
	lostRecord       = "a block that lost a record to LMC0xx or LMC1xx is not checked by its content"
	resynchronize    = "after a finding the tracker resynchronizes, so that the next record is checked on its own"
	lateConfirmation = "a confirmation that follows its execution is the same mistake as LMC301"
)

var (
	blockLossy            = condition{"a record of the block is unreadable or invalid", func(e *lmc.Event) bool { return e.Block.Lossy }, lostRecord}
	blockCut              = condition{"the block has no end flag", func(e *lmc.Event) bool { return e.Block != nil && e.Block.Cut }, resynchronize}
	blockStray            = condition{"the block has no start flag", func(e *lmc.Event) bool { return e.Block.Stray }, resynchronize}
	codeLossy             = condition{"the text of the code is uncertain", func(e *lmc.Event) bool { return e.Code != nil && e.Code.Lossy }, lostRecord}
	codeEmpty             = condition{"the code is empty (LMC207 or LMC208)", func(e *lmc.Event) bool { return e.Code.Text.Bytes == 0 }, "one mistake is one finding"}
	codeIsEdit            = condition{"what runs is an edit", func(e *lmc.Event) bool { return e.Code != nil && e.Code.Edit }, "a tool that edits a file runs no lines"}
	runLossy              = condition{"a record of the execution is unreadable or invalid", func(e *lmc.Event) bool { return e.Run.Lossy }, lostRecord}
	runWithoutCode        = condition{"no code precedes the execution (LMC306)", func(e *lmc.Event) bool { return e.Run.NoCode }, resynchronize}
	confirmationReported  = condition{"the confirmation is reported already", func(e *lmc.Event) bool { return e.Asked.Reported }, lateConfirmation}
	confirmationMisplaced = condition{"the last confirmation was misplaced", func(e *lmc.Event) bool { return e.Code != nil && e.Code.Misplaced }, lateConfirmation}
	recordNoRole          = condition{"the record lacks its role or has an invalid one", func(e *lmc.Event) bool { return e.Record.HasInvalid(lmc.InvalidRole) }, "a record without a role may belong elsewhere"}
	recordInvalid         = condition{"the record is invalid (LMC1xx)", func(e *lmc.Event) bool { return e.Record.Invalid != 0 }, "invalid content is not checked"}
)

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
func Explained(p *lint.Pass, e *lmc.Event) bool {
	for _, c := range explanations[p.Rule.ID] {
		if c.is(e) {
			return true
		}
	}
	return false
}
