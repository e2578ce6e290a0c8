package source

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/source/value"
)

// Record is one record with its place in the input. It is valid until the next
// call of [Reader.Next]; a Clone remains valid.
//
// Some records are inside other text, such as a JSON string or the lines of a
// server-sent event. Then Data is the decoded text, and the offsets of Root are
// bytes of Data. Start and every Place are positions in the input all the same.
type Record struct {
	Index        int    // number of the record in its conversation, from 0
	Conversation int    // number of the conversation, from 0; -1 where the input is a single one
	Pointer      string // RFC 6901 pointer to the record from its document, "" for a record of its own
	Data         []byte // the text of the record, verbatim or decoded, without surrounding whitespace
	Start        value.Position
	ReadTo       int64       // offset up to which the input was read with the record, or the start of its JSON document
	Root         *value.Node // nil if the record could not be parsed
	Problems     []Problem   // that the reader found, in source order

	Python bool // a Python literal, not JSON

	// Wrapped is set for a record of JSON Lines on several lines.
	Wrapped bool

	// AfterBlankLine is set for a record of JSON Lines with an empty line above it.
	AfterBlankLine bool

	// Fragment is the number of the fragment of a text that a single record is in, from 1,
	// else 0. A record of another fragment than the one before need not continue it:
	// nothing is missing between them. A fragment may have no record that can be read.
	Fragment int

	Frame // what carried it; zero if it was no frame of a connection, nor an event

	// IsGap marks text that is not a record but has problems: a byte order mark,
	// stray bytes, an array that is never closed. It has no Index.
	IsGap bool

	faults []value.Fault // described by Problems
	origin *TextMap      // of the decoded text that contains Data; nil if Data is verbatim in the input
	base   int           // offset of Data in that text

	listPointer []byte // if Pointer is "": the pointer of the list that contains the record, and a slash
	assigned    bool   // Conversation and Index were set by Assign
	lines       []byte // if Data is the values of several lines of an event, between which all is blank: these lines
	asciiLine   bool   // Data is ASCII on one line of the input: it has as many columns as bytes
}

// Frame is what a record has of the frame or server-sent event that carried it.
type Frame struct {
	Direction Direction // who sent it, where the input says so
	IsLogged  bool      // the direction has the key dir, as in logs of the proxy
	Event     string    // the name of the server-sent event, or ""
	InEvent   bool      // it is the data of one

	// Time is when it was sent, as its wrapper has it: a JSON number or string. It is
	// nil if the wrapper has no time.
	Time []byte

	// Binary marks a binary frame. Its record has no Root, and its Data is the content as
	// written in the input, such as base64.
	Binary bool
}

// Direction says who sent a frame of a recorded connection.
type Direction uint8

// The directions, as the client sees them.
const (
	Undirected Direction = iota // the input does not say
	Sent                        // by the client, to the server
	Received                    // by the client, from the server
)

// Place is a place in an input as a finding shows it. It remains valid after the
// record.
type Place struct {
	Span    value.Span
	Record  int    // number of the record, from 0; -1 between records
	Pointer string // RFC 6901: from the record, or from the document for a JSON array or envelope
	Time    string // when the record was sent, as text of its wrapper; "" if that is unknown
	Excerpt Excerpt
	Below   []ExcerptLine // the further lines of a place on several lines, the first ones and the last
}

// ExcerptLine is a line of a record, for reports.
type ExcerptLine struct {
	Line     int    // its number, from 1
	Text     string // at most 160 code points from its start
	CutRight bool   // the line continues to the right of Text
}

// Excerpt is the part of a line around a place, for reports. It contains no text
// outside the record.
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
	c.Time = bytes.Clone(r.Time)
	c.Problems, c.faults = slices.Clone(r.Problems), slices.Clone(r.faults)
	if r.Root != nil {
		c.Root = &value.Node{}
		r.Root.CloneTo(c.Root, c.Data)
	}
	return &c
}

// ProblemKind is a kind of problem that the reader finds.
type ProblemKind = value.FaultKind

// The problems that the reader finds besides those of a single value.
const (
	NotAnObject       ProblemKind = value.FirstOtherKind + iota // a record is JSON, but not an object
	TruncatedRecord                                             // the input ends inside a record
	ByteOrderMark                                               // U+FEFF at the start of the input
	PythonLiteral                                               // a record is a Python literal, not JSON
	StrayLines                                                  // lines of a log without a record, reported once at the first
	ExpansionTooLarge                                           // compressed data expand beyond the limit; reading ended there
	Comments                                                    // comments between the records of data, reported once at the first
	InvalidForm                                                 // not structured as the recorded form requires, such as a logged frame without its direction
)

// Problem is something wrong that the reader found, with its exact place.
type Problem struct {
	Kind    ProblemKind
	Place   Place
	Detail  string // what was found there and what was expected, without the place
	Cause   value.Cause
	Prefix  string // for StrayLines: a text that precedes some of the records, if others follow another text; else ""
	Related *Place // for a duplicate key: its first occurrence; for a record that ends inside a string: the opening quote
}

// IsFatal reports whether the record has no value that can be relied on because of
// the problem. Such a record has no Root, except with a duplicate key or if it is
// not an object: then Root is set and must not be relied on.
func (p *Problem) IsFatal() bool {
	k := p.Kind
	return k != value.LoneSurrogate && k != ByteOrderMark && k != PythonLiteral && k != StrayLines && k != Comments
}

// Fatal returns the first problem that is fatal, see [Problem.IsFatal], or nil.
func (r *Record) Fatal() *Problem {
	for i := range r.Problems {
		if r.Problems[i].IsFatal() {
			return &r.Problems[i]
		}
	}
	return nil
}

// IsLost reports whether the record has a problem that is fatal.
func (r *Record) IsLost() bool { return r.Fatal() != nil }

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

// Part is a part of a record as a record of its own. It is used again and again.
type Part struct {
	record Record
	root   value.Node

	last   value.Position // of the last element
	offset int            // of last, in the record
}

// Begin prepares the part for the elements of a record.
func (p *Part) Begin(r *Record) { p.last, p.offset = r.Start, 0 }

// TakeValue returns a value of the record as a record at the same place, with
// the problems in it. It is valid until the part is used again. Root of the
// receiver changes: it must not be used afterward, except for its problems.
func (r *Record) TakeValue(n *value.Node, part *Part) *Record {
	return r.take(n, part, r.PositionOf(n.Start), r.pointer() != "")
}

// TakeElement is [Record.TakeValue] for a value in a list: pointers start at the
// receiver, as those of the records of a document do. Elements are taken in the order
// of the source, after [Part.Begin]: the text before the last one is not searched again.
func (r *Record) TakeElement(n *value.Node, part *Part) *Record {
	if n.Start < part.offset {
		part.Begin(r)
	}
	if r.origin != nil {
		return r.take(n, part, r.PositionOf(n.Start), true)
	}
	part.last, part.offset = r.advance(part.last, part.offset, n.Start), n.Start
	return r.take(n, part, part.last, true)
}

func (r *Record) take(n *value.Node, part *Part, start value.Position, hasPointer bool) *Record {
	rec := &part.record
	r.sliceTo(rec, n.Start, n.End, start)
	if hasPointer {
		rec.Pointer = r.pointerTo(n.Start)
	}
	part.root = *n
	rec.Root = &part.root
	rec.Root.Name, rec.Root.NameStart, rec.Root.NameEnd = "", 0, 0
	var inside []value.Fault
	for _, f := range r.faults {
		if isInside(f, n) {
			inside = append(inside, f.Moved(-n.Start))
		}
	}
	rec.Root.Move(-n.Start)
	rec.describe(inside)
	return rec
}

// TakeBytes returns the text between the quotes of a string as a binary record.
func (r *Record) TakeBytes(n *value.Node) *Record {
	start := n.Start + 1
	rec := &Record{}
	r.sliceTo(rec, start, start+len(n.RawContent()), r.PositionOf(start))
	rec.Binary = true
	return rec
}

// sliceTo makes a record one of the bytes of Data from one offset up to another, which
// start at a position.
func (r *Record) sliceTo(rec *Record, from, to int, start value.Position) {
	*rec = Record{
		Index: r.Index, Conversation: r.Conversation, Data: r.Data[from:to:to], Start: start,
		Python: r.Python, Frame: r.Frame, origin: r.origin, base: r.base + from,
	}
	if r.lines != nil {
		rec.lines = r.lines[from:to:to]
	}
}

// WithoutValues returns a gap with the problems of the record that are outside some of
// its values, or nil if there are none.
func (r *Record) WithoutValues(values ...*value.Node) *Record {
	var problems []Problem
	for i, f := range r.faults {
		if !slices.ContainsFunc(values, func(n *value.Node) bool { return isInside(f, n) }) {
			problem := r.Problems[i]
			problem.Place.Record, problem.Place.Pointer = -1, ""
			problems = append(problems, problem)
		}
	}
	if problems == nil {
		return nil
	}
	left := *r
	left.IsGap, left.Root, left.Index, left.Pointer, left.Problems, left.faults = true, nil, 0, "", problems, nil
	return &left
}

// isInside reports whether a fault of a record is in one of its values.
func isInside(f value.Fault, n *value.Node) bool { return n.Start <= f.Start && f.End <= n.End }

// SetUnreadable adds a fault that makes the record unusable, removes
// Root, and returns the record.
func (r *Record) SetUnreadable(f *value.Fault) *Record {
	r.describe(append(slices.Clip(r.faults), *f))
	r.Root = nil
	return r
}

// SetIndex sets the number of the record in its conversation, from 0, also in the
// places of its problems.
func (r *Record) SetIndex(index int) {
	r.Index = index
	for i := range r.Problems {
		r.Problems[i].Place.Record = index
		if related := r.Problems[i].Related; related != nil {
			related.Record = index
		}
	}
}

// Assign makes the record one of a conversation of its own, among several in a
// text. The readers of the outer text keep these numbers.
func (r *Record) Assign(conversation, index int) {
	r.Conversation, r.assigned = conversation, true
	r.SetIndex(index)
}
