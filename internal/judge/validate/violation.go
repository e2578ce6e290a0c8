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
