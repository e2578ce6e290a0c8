package workbench

import "github.com/lmclint/lmclint/internal/source"

// Kind is a kind of event, as a bit, so that kinds can be joined into a mask.
type Kind uint64

// What can happen in a conversation.
const (
	// Seen is every readable record, before anything else about it.
	Seen Kind = 1 << iota
	// Said is every message, but for one that an event says is deleted.
	Said
	// Repeated is a message with the id of an earlier one. First is where that is.
	Repeated
	// Backward is a message of a list that is older than the one before it;
	// once for a run of such messages. Before is the time of that one.
	OutOfOrder
	// Answered is a response. Asked is the command that it answers.
	Answered
	// Unanswered is a user's command without a response, at the end of the
	// conversation. Asked is the command.
	Unanswered
	// Unasked is a response with no command before it.
	ResponseWithoutCommand
	// Unlisted is a sender who does not take part, at the end of a
	// conversation that says who does. Name is the sender's id.
	UnknownSender
	// Untargeted is a directed_at that is nobody who takes part, at the end of
	// such a conversation. Name is that id.
	UnknownTarget
	// Undeleted is the deletion of a message that was not seen.
	UnknownDeletion
	// Homeless is a line of an export whose conversation has not come before
	// it; once for each conversation.
	MissingConversation
	// Detached is debug data of an export without its message.
	MissingMessage
	// Fallen is a message of an export whose sequence does not rise; once for a
	// run of such messages. Before is the last one.
	SequenceNotIncreasing
	// Full says, once, that no more ids can be remembered.
	LimitReached
	// Finished is the end of the conversation.
	Finished

	// FirstFree is the first bit that users of the package may give to event
	// kinds of their own.
	FirstFree
)

// Event is one thing that happened. It is valid during its delivery.
type Event struct {
	Kind    Kind
	Record  *Record  // that decided it; nil at the end of the input
	Message *Message // that it is about, nil at the end of the input
	First   PlaceRef
	Before  string
	Name    string
	Asked   *PendingCommand
	Place   source.Place // of what was found wrong at the end of the conversation
}

// Emit receives events.
type Emit func(*Event)

// Mark is where an id stood, for as little memory as that takes. An id is ASCII,
// so that one width counts bytes and code points.
type PlaceRef struct {
	Start  source.Position
	Width  int
	Record int // from 0
}

// Place is the place that the mark stands for, without the text of its line.
func (m PlaceRef) Place() source.Place {
	end := m.Start
	end.Offset += int64(m.Width)
	end.Column += m.Width
	return source.Place{
		Span: source.Span{Start: m.Start, End: end}, Record: m.Record,
		Excerpt: source.Excerpt{Column: m.Start.Column, CutLeft: true},
	}
}

// Asked is a user's command.
type PendingCommand struct {
	Place  source.Place
	Name   string // the command's first word
	Target string // as [Message.Target]
	// Instead is the type of the first message, but a log, with which an
	// assistant answered before the user went on; "" if none did.
	Instead string
	// Met says that the one at whom it was directed has responded.
	Met bool

	id        ID
	overtaken bool // the user went on
	chat      bool // it was sent as a chat: nobody has to answer it
}
