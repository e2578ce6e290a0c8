package validate

import (
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
	Node     *source.Node // the wrong value, or the object that lacks a key
	AtKey    bool         // the place is Node's key, not its value
	Key      string       // the key that is missing or wrong
	Found    string       // the wrong value as text, strings in quotes; "" for a missing key
	Expected []string     // what is allowed: values, or JSON types; for ConflictingKeys and NullMember the keys
	Nearest  string       // the allowed value nearest to Found, or for UnknownKey in a record without a known type the known key nearest to Key; or ""
	Within   string       // the only allowed value that Found has in it as a word, as spelling.Within finds it; or ""
	Rest     string       // what Found is without it
	Meant    string       // Nearest, if no other allowed value is as near; else ""
	Instead  string       // for a missing key: the unknown key that was probably meant for it, or ""
	Type     string       // the record's type, where the expectation depends on it
}

// maxNumber is how many bytes of a number Found is made from; it is longer than
// what is shown.
const maxNumber = 64

// describe sets Found to the value of the violation's node.
func (v *Violation) describe() {
	switch v.Node.Kind {
	case source.String:
		v.Found = value.Quoted(v.Node.Text())
	case source.Number, source.Bool:
		raw := v.Node.Raw()
		v.Found = v.Node.Kind.String() + " " + value.Truncate(string(raw[:min(len(raw), maxNumber)]))
	default:
		v.Found = v.Node.Kind.String()
	}
}

// suggest sets Nearest and Meant for the expected values, if the node is a string.
func (v *Violation) suggest() {
	if v.Node.Kind == source.String {
		var isOnly bool
		if v.Nearest, isOnly = spelling.Only(v.Node.Text(), v.Expected); isOnly {
			v.Meant = v.Nearest
		}
		v.Within, v.Rest = spelling.Within(v.Node.Text(), v.Expected)
	}
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
