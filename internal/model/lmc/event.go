package lmc

import "github.com/lmclint/lmclint/internal/source"

// Kind is a kind of event, whatever that has. Each kind is a bit, so that kinds form a
// mask.
type Kind uint64

// KindOf is a kind of events, or several, that have what is in an E: who listens to it
// receives a pointer to one.
type KindOf[E any] uint64

// Is reports whether a kind is one of these.
func (k KindOf[E]) Is(kind Kind) bool { return Kind(k)&kind != 0 }

// What can happen in a stream or a transcript.
const (
	// Shape is the shape of a record: its keys, the kinds of its values, its role,
	// type, format, recipient and flags, but not its text. It comes before all
	// other events of the record. A rule that depends on the shape only answers
	// it: a shape in which no rule has a finding may come only once.
	Shape KindOf[Record] = 1 << iota
	// Opened is a start flag, or the first content of a block without one.
	Opened KindOf[OpenedEvent] = 1 << iota
	// Content is a content chunk in its block, unless it is an ActiveLine or
	// [PlainText].
	Content KindOf[ContentEvent] = 1 << iota
	// ActiveLine is a content chunk whose active_line is a number.
	ActiveLine KindOf[ContentEvent] = 1 << iota
	// PlainMessage is PlainText of type message.
	PlainMessage KindOf[ContentEvent] = 1 << iota
	// PlainCode is PlainText of type code.
	PlainCode KindOf[ContentEvent] = 1 << iota
	// PlainReview is PlainText of type review.
	PlainReview KindOf[ContentEvent] = 1 << iota
	// PlainOutput is PlainText of type console.
	PlainOutput KindOf[ContentEvent] = 1 << iota
	// Closed is the end of a block, by its end flag or by resynchronization.
	Closed KindOf[ClosedEvent] = 1 << iota
	// Confirmation is a confirmation.
	Confirmation KindOf[ConfirmationEvent] = 1 << iota
	// Frame is a server frame.
	Frame KindOf[Record] = 1 << iota
	// Execution is the first content of an execution, or the record that decides
	// that it is a refusal.
	Execution KindOf[ExecutionEvent] = 1 << iota
	// CodelessOutput is the first console content of an execution, if no code
	// precedes it in the input: the console block.
	CodelessOutput KindOf[Block] = 1 << iota
	// RanAgain is the first console content of an execution that a message separates
	// from the last one, if no code and no confirmation came since: its console block, and
	// what ran last.
	RanAgain KindOf[OutputEvent] = 1 << iota
	// Executed is the end of an execution.
	Executed KindOf[Run] = 1 << iota
	// UnexecutedCode is code that was neither confirmed nor run before the next
	// code or the end.
	UnexecutedCode KindOf[Code] = 1 << iota
	// Message is a whole message of a transcript. Its record is nil if it could not be
	// read: it may have been any.
	Message KindOf[ContentEvent] = 1 << iota
	// Attachment follows Message if the message is an image, audio or a file.
	Attachment KindOf[ContentEvent] = 1 << iota
	// Redelivered is a record that was delivered before, with the same id.
	Redelivered KindOf[Record] = 1 << iota

	ContentOutsideBlock KindOf[FramingError]   = 1 << iota // content while no block is open; once for consecutive chunks of a type
	Unclosed            KindOf[UnclosedEvent]  = 1 << iota // a start, confirmation or frame while a block is open
	Truncated           KindOf[TruncatedEvent] = 1 << iota // the input ends inside a block
	EndWithoutStart     KindOf[FramingError]   = 1 << iota // an end while no block is open
	EndMismatch         KindOf[FramingError]   = 1 << iota // an end of another role, type or format
	ContentMismatch     KindOf[FramingError]   = 1 << iota // content of another role, type or format; once for consecutive chunks

	// Finished is the end of the conversation, at its last record. In a session it is nil.
	Finished KindOf[source.PlaceRef] = 1 << iota

	// KindCount is how many kinds there are. Other packages may use the bits from here on.
	KindCount = iota
)

// PlainText is a content chunk that few rules need, and that most chunks are: a
// message, code, review or output that is not empty, has no terminal escapes and
// no markers, and precedes the end of the execution. It is a kind for each type,
// so that a rule about one of them costs nothing in streams of the others: see
// [PlainTextOf].
const PlainText = PlainMessage | PlainCode | PlainReview | PlainOutput

// PlainTextOf returns the kind of PlainText in records of a type, 0 for none.
func PlainTextOf(recordType string) KindOf[ContentEvent] {
	switch recordType {
	case "message":
		return PlainMessage
	case "code":
		return PlainCode
	case "review":
		return PlainReview
	case "console":
		return PlainOutput
	}
	return 0
}

// An event and all that it references are valid while it is emitted; a Block is recognized
// later by its Number.

// OpenedEvent is the beginning of a block.
type OpenedEvent struct {
	Record *Record
	Block  *Block
}

// ContentEvent is content: a chunk in its block, or a message of a transcript.
type ContentEvent struct {
	Record *Record
	Block  *Block // nil for a message
	Code   *Code  // the last code, or nil
	Run    *Run   // what runs, or nil
}

// ClosedEvent is the end of a block.
type ClosedEvent struct {
	Record *Record // what closed it; nil at the end of the input, and if that could not be read
	Block  *Block
}

// ConfirmationEvent is a confirmation.
type ConfirmationEvent struct {
	Record *Record
	Code   *Code // what it confirms, or nil
	Asked  *ConfirmationRequest
}

// ExecutionEvent is that code runs, or is refused.
type ExecutionEvent struct {
	Record *Record // nil if the end of a block decides it
	Run    *Run
	Late   *ConfirmationRequest // of the code, if it decides it: it comes before any content, but inside the block
}

// OutputEvent is a block of the output of code.
type OutputEvent struct {
	Block *Block
	Code  *Code
}

// FramingError is a record that does not fit.
type FramingError struct {
	Record *Record
	Block  *Block // the open one, or nil
	Sent   bool   // in a session: the client sent it
}

// UnclosedEvent is a record before the end of a block.
type UnclosedEvent struct {
	Record *Record
	Block  *Block
	Code   *Code // what the record confirms after it began to run, or nil
}

// TruncatedEvent is the end of the input inside a block.
type TruncatedEvent struct {
	Last  *source.PlaceRef // the last record
	Block *Block
}

// PartOf returns the P that an event is or has, or nil.
func PartOf[P any](event any) *P {
	parts := [3]any{event}
	switch e := event.(type) {
	case *OpenedEvent:
		parts = [...]any{e.Record, e.Block, nil}
	case *ContentEvent:
		parts = [...]any{e.Record, e.Block, e.Code}
	case *ClosedEvent:
		parts = [...]any{e.Record, e.Block, nil}
	case *ConfirmationEvent:
		parts = [...]any{e.Record, e.Code, e.Asked}
	case *ExecutionEvent:
		parts = [...]any{e.Record, e.Run, e.Run.Code}
	case *OutputEvent:
		parts = [...]any{e.Block, e.Code, nil}
	case *Run:
		parts[1] = e.Code
	case *FramingError:
		parts = [...]any{e.Record, e.Block, nil}
	case *UnclosedEvent:
		parts = [...]any{e.Record, e.Block, e.Code}
	case *TruncatedEvent:
		parts[1] = e.Block
	}
	for _, part := range parts {
		if p, ok := part.(*P); ok {
			return p
		}
	}
	return nil
}

// Emit receives an event: a pointer to what [KindOf] its kind says.
type Emit func(kind Kind, event any)
