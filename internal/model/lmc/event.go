package lmc

import "github.com/lmclint/lmclint/internal/source"

// Kind is a kind of event. Each kind is a bit, so that kinds form a mask.
type Kind uint64

// What can happen in a stream or a transcript.
const (
	// Shape is the shape of a record: its keys, the kinds of its values, its role,
	// type, format, recipient and flags, but not its text. It comes before all
	// other events of the record. A rule that depends on the shape only answers
	// it: a shape in which no rule has a finding may come only once.
	Shape Kind = 1 << iota
	// Opened is a start flag, or the first content of a block without one.
	Opened
	// Content is a content chunk in its block, unless it is an ActiveLine or
	// [PlainText].
	Content
	// ActiveLine is a content chunk whose active_line is a number.
	ActiveLine
	// PlainMessage is PlainText of type message.
	PlainMessage
	// PlainCode is PlainText of type code.
	PlainCode
	// PlainReview is PlainText of type review.
	PlainReview
	// PlainOutput is PlainText of type console.
	PlainOutput
	// Closed is the end of a block, by its end flag or by resynchronization.
	Closed
	// Confirmation is a confirmation. Code is what it confirms, or nil.
	Confirmation
	// Frame is a server frame.
	Frame
	// Execution is the first content of an execution, or the record that decides
	// that it is a refusal. Block is the first computer block. If the confirmation of
	// the code comes before any content, but inside the block, Asked is that of the
	// confirmation.
	Execution
	// CodelessOutput is the first console content of an execution, if no code
	// precedes it in the input. Block is the console block.
	CodelessOutput
	// RanAgain is the first console content of an execution that a message separates
	// from the last one, if no code and no confirmation came since. Code is what ran
	// last. Block is the console block.
	RanAgain
	// Executed is the end of an execution. Block is its last console block.
	Executed
	// UnexecutedCode is code that was neither confirmed nor run before the next
	// code or the end.
	UnexecutedCode
	// Message is a whole message of a transcript.
	Message
	// Attachment follows Message if the message is an image, audio or a file.
	Attachment

	// Framing errors. Block is the block concerned, if any.

	ContentOutsideBlock // content while no block is open; once for consecutive chunks of a type
	Unclosed            // a start, confirmation or frame while a block is open; Code is what a confirmation confirms after it began to run, or nil
	Truncated           // the input ends inside a block; Record is the last one
	EndWithoutStart     // an end while no block is open
	EndMismatch         // an end of another role, type or format
	ContentMismatch     // content of another role, type or format; once for consecutive chunks

	// Finished is the end of the conversation.
	Finished

	// Events of sessions.

	Incomplete           // a response without complete; Last is its last record
	UnexpectedStatus     // another status where complete was due
	Unanswered           // a message of the user without a response; Last is its end
	Unapproved           // Code ran without approval; Block is its output
	ErrorWithoutComplete // an error without complete; Last is the error
	BareCommand          // a command outside a block
	UnknownCommand       // Text is not a command; Last is its place
	UnknownApproval      // Text, at Last, is the id of no confirmation that waits for its go
	SentBeforeAuth       // the server dropped Record: the client was not authenticated
	Unacknowledged       // Last is a frame that was never acknowledged
	NothingAcknowledged  // none of the frames with an id was acknowledged; Last is the first
	UnknownAck           // Record acknowledges an id that never came
	Redelivered          // Record was delivered before, with the same id
	JoinedParts          // Record is a part that the server merges into the one at Last
	Interrupted          // Block was interrupted by what the client sent: Cause
	RoleFromWrongSide    // a frame whose role belongs to the other side

	// FirstFree is the first bit that other packages may use for kinds of their own.
	FirstFree
)

// PlainText is a content chunk that few rules need, and that most chunks are: a
// message, code, review or output that is not empty, has no terminal escapes and
// no markers, and precedes the end of the execution. It is a kind for each type,
// so that a rule about one of them costs nothing in streams of the others: see
// [PlainTextOf].
const PlainText = PlainMessage | PlainCode | PlainReview | PlainOutput

// PlainTextOf returns the kind of PlainText in records of a type, 0 for none.
func PlainTextOf(recordType string) Kind {
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

// Untyped returns PlainText for a kind of it, and another kind as it is, where the type of
// the record does not matter.
func (k Kind) Untyped() Kind {
	if k&PlainText != 0 {
		return PlainText
	}
	return k
}

// Event is one thing that happened. It and all that it references are valid
// while it is emitted; a Block is recognized later by its Number.
type Event struct {
	Kind   Kind
	Record *Record          // the record that decided it; nil at the end of the input
	Last   *source.PlaceRef // the last record, at the end of a stream
	Block  *Block
	Code   *Code
	Run    *Run
	Asked  *ConfirmationRequest // of a Confirmation, or of one that came late
	Sent   bool                 // in a session: the client sent it
	Text   string               // of a command
	Cause  *Cause
}

// Cause is the client frame that interrupted a block of the server.
type Cause struct {
	At      source.PlaceRef // the frame
	Command string          // the command that the frame belongs to, "" for a new message
}

// Emit receives events.
type Emit func(*Event)
