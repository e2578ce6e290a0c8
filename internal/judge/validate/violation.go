package validate

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
)

// Cause says in which way a value violates its schema.
type Cause uint8

// The causes in an LMC record. Of several violations at one place, the one with
// the smaller cause comes first.
const (
	MissingRole Cause = iota + 1
	UnknownRole
	MissingType
	UnknownType
	MissingFormat
	InvalidFormat    // unknown, or not allowed with the type
	UnexpectedFormat // on a type that has no formats
	MissingContent   // neither content nor a flag
	WrongContentType // the JSON type of content, auth or ack
	UnknownKey
	InvalidFlag     // start or end is not true
	ConflictingKeys // more than one of start, end and content
	InvalidConfirmation
	LegacyConfirmation // {type, language, code}
	InvalidRecipient
	OtherEndKey // the end key of another dialect: stop, or end where the dialect has stop
	InvalidActiveLine
	MissingKey   // another key that records of the type have
	WrongKeyType // the JSON type of the value of such a key
	NullMember   // of keys that are null where they should be absent; no schema has it
)

// The causes in a value of Semantic Workbench.
const (
	UnknownMessageType Cause = iota + NullMember + 1
	CommandResponseSpelling
	MissingField
	WrongField // the JSON type of a field, or a value that is not allowed
	UnknownParticipantRole
	InvalidUUID
	InvalidTime
	InvalidDirectedAt
	InvalidFooterItems
	InvalidToolLink // a tool call or tool result in the metadata
	UnknownEvent
	InvalidEventData
	InvalidExportRecord

	causeCount
)

// Violation is one way in which a value violates its schema. It has facts; the
// rules have the words.
type Violation struct {
	Cause    Cause
	AtKey    bool         // the place is Node's key, not its value
	hasValue bool         // the value of Node is wrong, not its key
	Node     *source.Node // the wrong value, or the object that lacks a key
	Key      string       // the key that is missing or wrong
	Expected []string     // what is allowed: values, or JSON types; for ConflictingKeys and NullMember the keys
	Instead  string       // for a missing key: the unknown key that was probably meant for it, or ""
	Type     string       // the record's type, where the expectation depends on it
}

// Suggestion is what a word that is not allowed was probably meant to be.
type Suggestion struct {
	Nearest string // the allowed word that is nearest to it, or ""
	Meant   string // Nearest, if no other allowed word is as near; else ""
	Within  string // the only allowed word in it, as spelling.Within finds it; or ""
	Rest    string // what it is without that
}

// maxNumber is how many bytes of a number Found is made from; it is longer than
// what is shown.
const maxNumber = 64

// Found returns the wrong value as text, strings in quotes, or "" if a key is missing or
// wrong. Like Suggest it is called for the first violation of a cause only.
func (v *Violation) Found() string {
	switch {
	case !v.hasValue:
		return ""
	case v.Node.Kind == source.String:
		return value.Quoted(v.Node.Text())
	case v.Node.Kind == source.Number || v.Node.Kind == source.Bool:
		raw := v.Node.Raw()
		return v.Node.Kind.String() + " " + value.Truncate(string(raw[:min(len(raw), maxNumber)]))
	}
	return v.Node.Kind.String()
}

// Suggest returns which of the allowed words was probably meant, if the value is a string, or
// a key is wrong.
func (v *Violation) Suggest() (s Suggestion) {
	word := v.Node.Name
	switch {
	case v.hasValue && v.Node.Kind == source.String:
		word = v.Node.Text()
		s.Within, s.Rest = spelling.Within(word, v.Expected)
	case v.hasValue || !v.AtKey:
		return s
	}
	var isOnly bool
	if s.Nearest, isOnly = spelling.Only(word, v.Expected); isOnly {
		s.Meant = s.Nearest
	}
	return s
}

// IsMissing reports whether the violation is that the record lacks a key.
func (v *Violation) IsMissing(key string) bool {
	switch v.Cause {
	case MissingRole:
		return key == "role" || key == "type" || key == "content"
	case MissingContent:
		return slices.Contains(v.Expected, key)
	case MissingType, MissingFormat, MissingKey:
		return key == v.Key
	}
	return false
}

// suppression says which violations of a record are not reported because other
// violations of the same record explain them.
type suppression struct {
	by        causes // all of these are present
	unless    causes // and none of these
	explains  causes
	principle string // of "one mistake, one finding"
}

// suppressions lists what explains what within one record. Schemas validate every
// key separately, so one mistake violates several keywords. All rows are
// compared with the violations that the schemas gave: an explained violation
// still explains others. A missing or unknown type needs no row: without a type
// the schemas do not validate the content.
var suppressions = []suppression{
	{by: of(MissingRole, MissingType, MissingContent), explains: of(MissingType, MissingContent), principle: "a record that has nothing lacks its role only"},
	{by: of(ConflictingKeys), explains: of(MissingFormat), principle: "conflicting keys imply no missing format"},
	{by: of(OtherEndKey), explains: of(MissingContent), principle: "the end key of another dialect implies no missing content"},
	{by: of(MissingContent), unless: of(OtherEndKey), explains: of(UnknownKey), principle: "missing content implies no unknown key"},
	{by: of(UnknownType, MissingRole, MissingContent), explains: of(MissingRole), principle: "a record that has nothing but an unknown type lacks nothing else"},
	{by: of(UnknownType), explains: of(MissingContent), principle: "nothing is known of what a record of an unknown type needs"},
	{by: of(misplacedFlag), explains: of(MissingContent), principle: "a flag that is the role or format implies no missing flag"},
	{by: of(misspelledType), explains: of(UnexpectedFormat), principle: "a format is not checked by a type that is misspelled"},
	{by: of(MissingFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(InvalidFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(UnexpectedFormat), unless: of(fitsNoFormat), explains: contentCauses, principle: notChecked},
	{by: of(ConflictingKeys), explains: contentCauses, principle: "content beside a flag is not checked"},
}

const notChecked = "content of a wrong type or format is not checked, unless it is wrong for every format of the type"

// contentCauses are the causes that depend on the record's type and format.
var contentCauses = of(WrongContentType, InvalidConfirmation, LegacyConfirmation, InvalidActiveLine)

// misspelledType is a fact that explains, and no violation of its own: an
// unknown key in a record without a type is near to the key type.
const misspelledType = causeCount

// misplacedFlag is another fact that explains: the value of the key role or
// format is the name of a flag.
const misplacedFlag = causeCount + 1

// fitsNoFormat is a fact, too: the content is wrong for every format of the type.
const fitsNoFormat = causeCount + 2

// misplacing are the causes that a flag in another key's value has.
var misplacing = of(UnknownRole, UnexpectedFormat, InvalidFormat)

// causes is a set of causes.
type causes uint64

func of(members ...Cause) (set causes) {
	for _, c := range members {
		set |= 1 << c
	}
	return set
}

func (set causes) has(c Cause) bool { return set&(1<<c) != 0 }

// dedupe puts the violations of a record in source order and keeps one for each
// mistake. Facts are others that explain, and IsFlag reports whether a word is the key of a flag.
func dedupe(found []Violation, facts causes, isFlag func(word string) bool) []Violation {
	if len(found) == 1 {
		return found
	}
	slices.SortStableFunc(found, compare)
	explained := explainedBy(found, facts, isFlag)
	var meant []string // unknown keys that are reported as the missing key's misspelling
	for i := range found {
		if instead := found[i].Instead; instead != "" {
			meant = append(meant, instead)
		}
	}
	kept := found[:0]
	for _, v := range found {
		isSame := func(k Violation) bool { // one for all such keys of a record
			return k.Cause == v.Cause && (k.Key == v.Key || v.Cause == UnknownKey || v.Cause == InvalidFlag)
		}
		if !explained.has(v.Cause) && (v.Cause != UnknownKey || !slices.Contains(meant, v.Key)) && !slices.ContainsFunc(kept, isSame) {
			kept = append(kept, v)
		}
	}
	return kept
}

// explainedBy returns the causes that the violations of a record and some facts explain.
func explainedBy(found []Violation, present causes, isFlag func(word string) bool) (explained causes) {
	for i := range found {
		present |= of(found[i].Cause)
		if found[i].Cause == UnknownKey && found[i].Type == "" && found[i].Suggest().Nearest == "type" {
			present |= of(misspelledType)
		}
		if misplacing.has(found[i].Cause) && found[i].Node.Kind == source.String && isFlag(found[i].Node.Text()) {
			present |= of(misplacedFlag)
		}
	}
	for _, e := range suppressions {
		if present&e.by == e.by && present&e.unless == 0 {
			explained |= e.explains
		}
	}
	return explained
}

// compare orders violations by place, and at one place by cause and key.
func compare(a, b Violation) int {
	return cmp.Or(cmp.Compare(a.offset(), b.offset()), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Key, b.Key))
}

// offset returns where the violation is, in bytes from the start of the record.
func (v *Violation) offset() int {
	if v.AtKey {
		return v.Node.NameStart
	}
	return v.Node.Start
}
