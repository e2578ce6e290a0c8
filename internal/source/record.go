package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Record is one record with its place in the input. Data, Root and all that
// hangs on them are valid until the next call of [Reader.Next]; Clone keeps them.
//
// Some records are inside other text, such as a JSON string or the lines of
// a server-sent event. Then Data is the decoded text, and offsets of Root count
// its bytes; but Start and every Place are verbatim in the input.
type Record struct {
	Index        int    // number of the record in its conversation, from 0
	Conversation int    // number of the conversation, from 0; -1 where the input is a single one
	Pointer      string // RFC 6901 pointer to the record from its document, "" for a record of its own
	Data         []byte // the record as it is in the input, or decoded from that, without surrounding whitespace
	Start        value.Position
	Root         *value.Node // nil if the record could not be read
	Problems     []Problem   // what reading met, in source order

	Python bool // a Python literal, not JSON

	// Apart reports that, on a page, this is the first record, or that other text
	// is between it and the record before.
	FollowsOtherText bool

	// Beside says of an object among other text that it is where records are:
	// right below one, or after the same words as one.
	AlignedWithRecords bool

	Direction Direction // who sent it, where the input says so
	Event     string    // the name of the server-sent event that carries it, or ""

	// Binary marks a binary frame. It has no Root, and Data is how its bytes
	// are in the input.
	Binary bool

	// Between marks what is no record but has problems to tell: a byte order
	// mark, stray bytes, an array that is never closed. It has no Index.
	IsGap bool

	origin *TextMap // of the text that Data is a part of; nil where Data is verbatim in the input
	base   int      // where Data begins in that text

	list  []byte // where Pointer is "": the pointer of the list that contains the record, with a slash after it
	fixed bool   // Data never changes, so that others may keep it
	flat  bool   // Data is known to be ASCII on one line of the input, so that it has as many columns as bytes
}

// Direction says who sent a frame of a recorded connection.
type Direction uint8

// The directions, as the client sees them.
const (
	Undirected Direction = iota // the input does not say
	Sent                        // by the client, to the server
	Received                    // by the client, from the server
)

// Place is a place in an input as a finding shows it. It is a value of its
// own: it stays valid when the record it came from is gone.
type Place struct {
	Span    value.Span
	Record  int    // number of the record, from 0; -1 between records
	Pointer string // RFC 6901: from the record, or from the document for a JSON array or envelope
	Excerpt Excerpt
}

// Excerpt is the part of a line around a place, for people to look at. It
// never reaches beyond the record.
type Excerpt struct {
	Text     string // at most 160 code points of the line that Span.Start is on
	Column   int    // column of the first code point of Text, from 1
	CutLeft  bool   // the record's line continues to the left of Text
	CutRight bool   // the record's line continues to the right of Text
}

// Clone returns a copy of the record that stays valid.
func (r *Record) Clone() *Record {
	c := *r
	c.Data = bytes.Clone(r.Data)
	c.Problems = slices.Clone(r.Problems)
	if r.Root != nil {
		c.Root = &value.Node{}
		r.Root.CloneTo(c.Root, c.Data)
	}
	return &c
}

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

// IsLost reports whether a problem of the record leaves it without a
// trustworthy value.
func (r *Record) IsLost() bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Fatal() })
}

// The types of which a record consists, so that code that works with records
// needs a single import.
type (
	// Node is one value of a record.
	Node = value.Node
	// Kind is the kind of a value.
	Kind = value.Kind
	// Position is a position in the decompressed input.
	Position = value.Position
	// Span is a part of the input.
	Span = value.Span
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
