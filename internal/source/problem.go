package source

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// ProblemKind says what is wrong with the reading of a record.
type ProblemKind = value.FaultKind

// The problems that the reader finds besides those of a single value.
const (
	NotAnObject     ProblemKind = value.FirstOtherKind + iota // a record that is JSON but no object
	TruncatedRecord                                           // the input ends inside a record
	ByteOrderMark                                             // U+FEFF at the start of the input
	PythonLiteral                                             // a record is a Python literal, not JSON
	StrayLines                                                // lines of a log without a record, reported once at the first
	InvalidForm                                               // not packed as the recorded form requires, such as a logged frame without its direction
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
func (p *Problem) Fatal() bool {
	k := p.Kind
	return k != value.LoneSurrogate && k != ByteOrderMark && k != PythonLiteral && k != StrayLines
}

// isLost reports whether a problem of the record leaves it without a
// trustworthy value.
func (r *Record) IsLost() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Fatal() })
}
