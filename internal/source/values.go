package source

import "github.com/lmclint/lmclint/internal/source/value"

// What records are made of is described in package value. It has these names here,
// so that code that works with records needs a single import.
type (
	Node     = value.Node
	Kind     = value.Kind
	Position = value.Position
	Span     = value.Span
)

// The kinds of JSON values.
const (
	Null   = value.Null
	Bool   = value.Bool
	Number = value.Number
	String = value.String
	Array  = value.Array
	Object = value.Object
)

// The problems of a single value.
const (
	InvalidJSON    = value.InvalidJSON
	InvalidUTF8    = value.InvalidUTF8
	DuplicateKey   = value.DuplicateKey
	LoneSurrogate  = value.LoneSurrogate
	NestingTooDeep = value.NestingTooDeep
	RecordTooLarge = value.RecordTooLarge
)
