package source

import "slices"

// ProblemKind says what is wrong with the reading of a record.
type ProblemKind uint8

// The problems that reading can meet.
const (
	InvalidJSON     ProblemKind = iota + 1 // not JSON by RFC 8259
	InvalidUTF8                            // bytes that are not UTF-8
	DuplicateKey                           // a key twice in one object, compared after unescaping
	NotAnObject                            // a record that is JSON but no object
	TruncatedRecord                        // the input ends inside a record
	RecordTooLarge                         // a record over Options.MaxRecordBytes, or compressed data that grow by more than MaxRatio
	LoneSurrogate                          // an escape such as \ud83c without its pair
	ByteOrderMark                          // U+FEFF at the start of the input
	PythonLiteral                          // a record is a Python literal, not JSON
	NestingTooDeep                         // nesting over Options.MaxDepth
	StrayLines                             // lines of a log that hold no record, told of once at the first
	InvalidForm                            // not packed as the recorded form has it, such as a logged frame without its direction
)

// Problem is one fault that the reader met, at the exact place.
type Problem struct {
	Kind    ProblemKind
	Place   Place
	Detail  string // what was found there and what was expected, without the place
	Related *Place // for a duplicate key: its first occurrence
}

// Fatal reports whether the problem leaves the record without a trustworthy
// value. Such a record has no Root, but for a duplicate key and a record that
// is no object, whose Root is there and must not be relied on.
func (k ProblemKind) Fatal() bool {
	return k != LoneSurrogate && k != ByteOrderMark && k != PythonLiteral && k != StrayLines
}

// isLost reports whether a problem of the record leaves it without a
// trustworthy value.
func (r *Record) isLost() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Kind.Fatal() })
}
