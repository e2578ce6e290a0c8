package session

import (
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// What can happen in a session besides the events of its trackers. A kind of
// [source.PlaceRef] is about the record there.
const (
	Incomplete           lmc.KindOf[source.PlaceRef] = 1 << (iota + lmc.KindCount) // the last record of a response without complete
	UnexpectedStatus     lmc.KindOf[lmc.Record]      = 1 << (iota + lmc.KindCount) // another status where complete was due
	Unanswered           lmc.KindOf[source.PlaceRef] = 1 << (iota + lmc.KindCount) // the end of a message of the user without a response
	Unapproved           lmc.KindOf[lmc.OutputEvent] = 1 << (iota + lmc.KindCount) // the execution of code without approval
	ErrorWithoutComplete lmc.KindOf[source.PlaceRef] = 1 << (iota + lmc.KindCount) // an error without complete
	BareCommand          lmc.KindOf[lmc.Record]      = 1 << (iota + lmc.KindCount) // a command outside a block
	UnknownCommand       lmc.KindOf[Command]         = 1 << (iota + lmc.KindCount) // a text that is not a command
	UnknownApproval      lmc.KindOf[Command]         = 1 << (iota + lmc.KindCount) // the id of no confirmation that waits for its go
	SentBeforeAuth       lmc.KindOf[lmc.Record]      = 1 << (iota + lmc.KindCount) // a frame that the server dropped: the client was not authenticated
	Unacknowledged       lmc.KindOf[source.PlaceRef] = 1 << (iota + lmc.KindCount) // a frame that was never acknowledged
	NothingAcknowledged  lmc.KindOf[source.PlaceRef] = 1 << (iota + lmc.KindCount) // the first frame with an id, if none was acknowledged
	UnknownAck           lmc.KindOf[lmc.Record]      = 1 << (iota + lmc.KindCount) // the acknowledgement of an id that never came
	JoinedParts          lmc.KindOf[JoinedPart]      = 1 << (iota + lmc.KindCount) // a part that the server merges into another one
	Interrupted          lmc.KindOf[Interruption]    = 1 << (iota + lmc.KindCount) // a block that the client interrupted
	RoleFromWrongSide    lmc.KindOf[lmc.Record]      = 1 << (iota + lmc.KindCount) // a frame whose role belongs to the other side

	// KindCount is how many kinds there are with those of package lmc. Other packages may
	// use the bits from here on.
	KindCount = iota + lmc.KindCount
)

// Command is a text of a command.
type Command struct {
	Text string
	At   *source.PlaceRef
}

// JoinedPart is a part of a message that the server merges into an earlier one.
type JoinedPart struct {
	Record *lmc.Record
	First  *source.PlaceRef
}

// Interruption is a frame of the client that interrupts the server.
type Interruption struct {
	At      source.PlaceRef
	Command string     // the command that the frame belongs to, "" for a new message
	Block   *lmc.Block // what it interrupts
}

// emit emits an event, which is valid during the call only.
func emit[E any](s *Session, kind lmc.KindOf[E], event *E) { s.emit(lmc.Kind(kind), event) }
