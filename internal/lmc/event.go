package lmc

import "github.com/lmclint/lmclint/internal/source"

// Kind is a kind of event, as a bit, so that kinds can be joined into a mask.
type Kind uint64

// What can happen in a stream or a transcript.
const (
	// Seen is every readable record, before anything else about it.
	Seen Kind = 1 << iota
	// Opened is a start flag, or the first content of a run without one.
	Opened
	// Content is a content chunk in its block, but for plain text. A stray run
	// is a block, too.
	Content
	// ActiveLine is a content chunk that names the line that runs by a number.
	ActiveLine

	// PlainText is a content chunk of which hardly a rule has anything to say,
	// and of which there are many: a message, code, review or output that is
	// not empty, has no terminal escapes, and comes before the execution's end.
	PlainText
	// Closed is the end of a block, by its end flag or by resynchronisation.
	Closed
	// Confirmation is a confirmation. Code is what it confirms, nil if nothing
	// waits for one.
	Confirmation
	// Frame is a record of the server's.
	Frame
	// Execution is the first content of what a code block's run puts out, or
	// what decides that there is none. Block is the first computer block.
	Execution
	// CodelessOutput is the first console content of an execution, if no code
	// stands before it in the input. Block is the console block.
	CodelessOutput
	// Executed is the end of an execution. Block is its last console block.
	Executed
	// Abandoned is code that was neither confirmed nor run before the next
	// message or the end.
	UnexecutedCode
	// Message is a whole message of a transcript.
	Message
	// Attachment is that, too, of an image, a sound or a file: most messages are
	// none, and hardly a rule asks about others than these. It comes behind Message.
	Attachment

	// The misfits. Block is the block concerned, if any.

	ContentOutsideBlock // content with no block open; once for a run of like chunks
	Unclosed            // a start, confirmation or frame while a block is open
	Truncated           // the input ends inside a block; Record is the last one
	EndWithoutStart     // an end with no block open
	EndMismatch         // an end of another role, type or format
	ContentMismatch     // content of another role, type or format; once for a run

	// Finished is the end of the conversation.
	Finished

	// What only a session knows of.

	Incomplete           // a response without its complete; Last is its last record
	UnexpectedStatus     // a status that is none where complete was due
	Unanswered           // nothing came back for the user's message; Last is its end
	Unapproved           // Code that waited for a go was run without; Block is what it put out
	ErrorWithoutComplete // an error without its complete; Last is the error
	BareCommand          // a command with no block open
	UnknownCommand       // Text is none of the commands; Last is where it stands
	SentBeforeAuth       // the server took no notice of Record: the client was not authenticated
	Unacknowledged       // Last is a frame that was never acknowledged
	NothingAcknowledged  // none of the frames with an id was acknowledged; Last is the first
	UnknownAck           // Record acknowledges what never came
	Redelivered          // Record came before, with the same id
	JoinedParts          // Record is a part that the server joins to the one at Last
	Interrupted          // Block was cut off by what the client sent: Cause
	RoleFromWrongSide    // a frame of a role that the other side speaks with

	// FirstFree is the first bit that users of the package may give to event
	// kinds of their own.
	FirstFree
)

// Event is one thing that happened. It is valid during its delivery, with all
// that it leads to. A Block has a number to know it by when it is met again.
type Event struct {
	Kind   Kind
	Record *Record          // the record that decided it; nil at the end of the input
	Last   *source.PlaceRef // the last record, at the end of a stream
	Block  *Block
	Code   *Code
	Run    *Run
	Asked  *ConfirmationRequest
	Sent   bool   // in a session: the client's frames are concerned
	Text   string // of a command
	Cause  *Cause
}

// Cause is the client frame that interrupted a block of the server.
type Cause struct {
	At      source.PlaceRef // the frame
	Command string          // the command that the frame belongs to, "" for a new message
}

// Emit receives events.
type Emit func(*Event)
