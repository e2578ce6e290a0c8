// Package workbench is the model of Semantic Workbench's protocol.
//
// A record may be a message as the service returns it, a message as a client
// posts it, an event, the data of a server-sent event, or a line of an export.
// [ShapeOf] detects which, and [Read] views it. A [Tracker] follows the records
// of an input and turns them into [Event]s: it matches commands and responses,
// keeps ids, times and participants, so that rules need no state of their own.
package workbench

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/source"
)

// Limits of what a tracker keeps. Records beyond a limit are checked on their
// own, and the tracker emits LimitReached once.
const (
	MaxIDs           = 1 << 18 // message ids
	MaxConversations = 1 << 12 // in one input
	MaxPeople        = 1 << 12 // senders, participants and targets, for each conversation
	MaxCommands      = 1 << 12 // without a response, for each conversation
)

// Tracker follows the records of one input.
type Tracker struct {
	emit    Emit
	partial bool // messages may be missing

	ids           map[ID]PlaceRef
	keys          map[string]PlaceRef // that identify lines of an export
	files         map[ID]bool         // of an export
	assistants    map[ID]bool         // of an export
	conversations map[string]*conversationState
	inOrder       []*conversationState // in the order of their first records
	full          bool                 // a limit was reached
	doubtful      bool                 // a record was lost
	astray        bool                 // a participant is of an unknown conversation
}

// NewTracker returns a tracker that emits events. With partial it emits none
// that only a complete conversation can prove.
func NewTracker(partial bool, emit Emit) *Tracker {
	return &Tracker{
		emit: emit, partial: partial, conversations: map[string]*conversationState{},
		ids: map[ID]PlaceRef{}, keys: map[string]PlaceRef{}, files: map[ID]bool{}, assistants: map[ID]bool{},
	}
}

// MarkUncertain says that a record was lost or is invalid. From then on the tracker
// reports nothing as missing: it may be in that record.
func (f *Tracker) MarkUncertain() { f.doubtful = true }

// Step follows a record.
func (f *Tracker) Step(r *Record) {
	f.emit(&Event{Kind: Seen, Record: r, Message: r.Message})
	c := f.conversation(r)
	if c == nil {
		return
	}
	c.addParticipants(r)
	if r.Shape == ShapeExport {
		c.stepExport(r)
	}
	switch m := r.Message; {
	case m == nil:
	case r.Deletes():
		f.delete(c, m)
	case m.Node.Name == latestMessage:
		f.mention(c, m)
	case r.Streamed() && r.Event != "" && r.Event != "message.created":
		f.emit(&Event{Kind: Said, Record: r, Message: m})
	default:
		f.stepMessage(c, m)
	}
}

// stepMessage follows a message in its conversation. A message with the id of
// an earlier one is only reported.
func (f *Tracker) stepMessage(c *conversationState, m *Message) {
	f.emit(&Event{Kind: Said, Record: m.Record, Message: m})
	if id, form := ParseUUID(m.ID.Text()); form != NoUUID {
		if first, known := f.ids[id]; known {
			f.emit(&Event{Kind: Repeated, Record: m.Record, Message: m, First: first})
			return
		}
		if len(f.ids) < MaxIDs {
			f.ids[id] = newPlaceRef(m.Record, m.ID)
		} else {
			f.limitReached(m.Record)
		}
	}
	c.checkSequence(m.Record)
	c.checkTime(m)
	c.addPeople(m)
	c.stepCommands(m)
}

// mention follows a message that a conversation names as its latest one. The message was
// sent before, so that mention does not check its order. It emits an event unless the id
// of the message occurred before.
func (f *Tracker) mention(c *conversationState, m *Message) {
	if id, form := ParseUUID(m.ID.Text()); form != NoUUID {
		if _, known := f.ids[id]; known || c.latest == id {
			return
		}
		c.latest = id
	}
	f.emit(&Event{Kind: Said, Record: m.Record, Message: m})
}

// delete follows the deletion of a message.
func (f *Tracker) delete(c *conversationState, m *Message) {
	id, form := ParseUUID(m.ID.Text())
	if form == NoUUID {
		return
	}
	if !f.hasMessage(id) && !f.partial {
		f.emit(&Event{Kind: UnknownDeletion, Record: m.Record, Message: m})
	}
	c.commands.pending = slices.DeleteFunc(c.commands.pending, func(p *PendingCommand) bool { return p.id == id })
}

// hasMessage reports whether a message was in the input, or may have been.
func (f *Tracker) hasMessage(id ID) bool {
	_, known := f.ids[id]
	return known || f.full || f.doubtful
}

// hasIn reports whether a set of ids of an export has the one that a value is, or
// may have it.
func (f *Tracker) hasIn(set map[ID]bool, n *source.Node) bool {
	id, form := ParseUUID(n.Text())
	return form == NoUUID || set[id] || f.full || f.doubtful
}

// addTo adds the id that a value is to a set of ids of an export.
func (f *Tracker) addTo(set map[ID]bool, n *source.Node, r *Record) {
	id, form := ParseUUID(n.Text())
	switch {
	case form == NoUUID:
	case len(set) == MaxIDs:
		f.limitReached(r)
	default:
		set[id] = true
	}
}

func (f *Tracker) limitReached(r *Record) {
	if !f.full {
		f.full = true
		f.emit(&Event{Kind: LimitReached, Record: r})
	}
}

// conversation returns the conversation of a record, nil if there are too many.
func (f *Tracker) conversation(r *Record) *conversationState {
	if c := f.conversations[r.ConversationID]; c != nil {
		return c
	}
	if len(f.conversations) == MaxConversations {
		f.limitReached(r)
		return nil
	}
	c := &conversationState{tracker: f}
	f.conversations[r.ConversationID] = c
	f.inOrder = append(f.inOrder, c)
	return c
}

// Finish emits the events of the end of the input.
func (f *Tracker) Finish() {
	for _, c := range f.inOrder {
		c.finish()
	}
	f.emit(&Event{Kind: Finished})
}

// Kind is a kind of event, as a bit of a mask.
type Kind uint64

// The kinds of events.
const (
	// Seen is every valid record, before the other events about it.
	Seen Kind = 1 << iota
	// Said is every message, except one that is deleted.
	Said
	// Repeated is a message with the id of an earlier one, which is at First.
	Repeated
	// RepeatedKey is a line of an export that has the key of an earlier one, which
	// is at First. Name is the column.
	RepeatedKey
	// OutOfOrder is a message of a list that is older than the preceding one,
	// whose time is Before; once for a run of such messages.
	OutOfOrder
	// Answered is a response to the command Asked.
	Answered
	// Unanswered is the command Asked of a user, without a response at the end of
	// the conversation.
	Unanswered
	// ResponseWithoutCommand is a response with no command before it.
	ResponseWithoutCommand
	// UnknownSender is a sender that is not a participant, at the end of a
	// conversation that lists its participants. Name is the sender's id.
	UnknownSender
	// UnknownTarget is a directed_at that is not a participant, at the end of such
	// a conversation. Name is the id.
	UnknownTarget
	// UnknownDeletion is the deletion of a message that was not created.
	UnknownDeletion
	// MissingConversation is a line of an export whose conversation does not
	// precede it; once for each conversation.
	MissingConversation
	// MissingFile is a version of a file that does not precede it; once for each
	// file.
	MissingFile
	// MissingAssistant is a participant of an export whose assistant does not
	// precede it.
	MissingAssistant
	// MissingMessage is debug data of an export whose message does not precede it.
	MissingMessage
	// SequenceNotIncreasing is a message of an export whose sequence is not above
	// the preceding one, Before; once for a run of such messages.
	SequenceNotIncreasing
	// LimitReached is emitted once, when the tracker reaches one of its limits.
	LimitReached
	// Finished is the end of the input.
	Finished

	// FirstFree is the first bit that users of the package may give to kinds of
	// events of their own.
	FirstFree
)

// Event is one thing that happened. It is valid during the call of Emit.
type Event struct {
	Kind    Kind
	Record  *Record  // that decided it; nil at the end of the input
	Message *Message // that it is about; nil at the end of the input
	First   PlaceRef
	Before  string
	Name    string
	Asked   *PendingCommand
	Place   source.Place // of a mistake that is decided at the end of the input
}

// Emit receives events.
type Emit func(*Event)

// PlaceRef is the place of an id without its source line, to save memory.
type PlaceRef struct {
	source.Span
	Record int // from 0
}

// newPlaceRef returns the place of a value of a record.
func newPlaceRef(r *Record, n *source.Node) PlaceRef {
	return PlaceRef{r.Source.PlaceOf(n).Span, r.Source.Index}
}

// Place returns the place, without the text of its line.
func (p PlaceRef) Place() source.Place {
	return source.Place{Span: p.Span, Record: p.Record, Excerpt: source.Excerpt{Column: p.Start.Column, CutLeft: true}}
}

// idPlaces is a set of ids, each with the place of its first use.
type idPlaces struct {
	seen    map[string]bool
	inOrder []idPlace
}

type idPlace struct {
	id    string
	place source.Place
}

// add adds an id with its place. It reports false if there are too many.
func (p *idPlaces) add(id string, m *Message, n *source.Node) bool {
	switch {
	case p.seen[id]:
		return true
	case len(p.seen) == MaxPeople:
		return false
	case p.seen == nil:
		p.seen = map[string]bool{}
	}
	id = strings.Clone(id)
	p.seen[id] = true
	p.inOrder = append(p.inOrder, idPlace{id, m.At(n)})
	return true
}
