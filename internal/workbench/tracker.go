// Package workbench is Semantic Workbench's protocol as a model: what a record
// says about a conversation, and what happens when records follow each other.
//
// A record may be a message as the service returns it, a message as a client
// posts it, an event, what a server-sent event carries, or a line of an export;
// [Read] tells which. A [Follower] follows a conversation and turns records
// into [Event]s: it pairs commands with their responses, remembers ids and
// times, and knows who takes part, so that rules need no memory of the protocol.
package workbench

// What a follower remembers is bounded. Beyond these limits a record is judged
// by itself, and the follower says so, once.
const (
	MaxIDs           = 1 << 18 // ids of messages
	MaxConversations = 1 << 12 // in one input
	MaxPeople        = 1 << 12 // who send, take part or are meant, for each conversation
	MaxCommands      = 1 << 12 // that wait for a response, for each conversation
)

// Follower follows the records of one input.
type Tracker struct {
	emit    Emit
	partial bool // records may be missing

	ids           map[ID]PlaceRef
	conversations map[string]*conversation
	inOrder       []*conversation // as they came
	full          bool
	doubtful      bool // a record was lost
	records       int
}

// NewFollower makes a follower that passes on what happens. With partial, it
// says nothing that only the whole conversation can tell.
func NewFollower(partial bool, emit Emit) *Tracker {
	return &Tracker{emit: emit, partial: partial, ids: map[ID]PlaceRef{}, conversations: map[string]*conversation{}}
}

// Doubt says that a record was lost, or could not be understood. From then on
// the follower does not miss anything: it may be that record.
func (f *Tracker) Doubt() { f.doubtful = true }

// Step follows a record.
func (f *Tracker) Step(r *Record) {
	f.records++
	f.emit(&Event{Kind: Seen, Record: r, Message: r.Message})
	t := f.thread(r)
	if t == nil {
		return
	}
	t.meet(r)
	if r.Shape == ShapeExport {
		f.stepExport(t, r)
	}
	switch m := r.Message; {
	case m == nil:
	case r.Deletes():
		f.delete(t, m)
	case r.Shape == ShapeConversation || r.Streamed() && r.Event != "" && r.Event != "message.created":
		f.emit(&Event{Kind: Said, Record: r, Message: m})
	default:
		f.say(t, m)
	}
}

// say follows a message in its conversation.
func (f *Tracker) say(t *conversation, m *Message) {
	f.emit(&Event{Kind: Said, Record: m.Record, Message: m})
	if !f.remember(m) {
		return
	}
	t.checkSequence(m.Record)
	t.order(m)
	t.people(m)
	t.answer(m)
}

// remember notes a message's id. It reports false for a message that was there
// before, of which nothing else is to be said.
func (f *Tracker) remember(m *Message) bool {
	id, form := ParseUUID(m.ID.Text())
	if form == NoUUID {
		return true
	}
	if first, known := f.ids[id]; known {
		f.emit(&Event{Kind: Repeated, Record: m.Record, Message: m, First: first})
		return false
	}
	if len(f.ids) == MaxIDs {
		f.overflow(m.Record)
		return true
	}
	f.ids[id] = markOf(m)
	return true
}

func markOf(m *Message) PlaceRef {
	start := m.At(m.ID).Span.Start
	return PlaceRef{Start: start, Width: m.ID.End - m.ID.Start, Record: m.Record.Source.Index}
}

// delete follows the deletion of a message.
func (f *Tracker) delete(t *conversation, m *Message) {
	id, form := ParseUUID(m.ID.Text())
	if form == NoUUID {
		return
	}
	if _, known := f.ids[id]; !known && !f.partial && !f.full && !f.doubtful {
		f.emit(&Event{Kind: UnknownDeletion, Record: m.Record, Message: m})
	}
	t.withdraw(id)
}

// overflow says, once, that something is not remembered.
func (f *Tracker) overflow(r *Record) {
	if !f.full {
		f.full = true
		f.emit(&Event{Kind: LimitReached, Record: r})
	}
}

// thread returns what is known of a record's conversation, nil if there are
// too many.
func (f *Tracker) thread(r *Record) *conversation {
	if t := f.conversations[r.ConversationID]; t != nil {
		return t
	}
	if len(f.conversations) == MaxConversations {
		f.overflow(r)
		return nil
	}
	t := &conversation{follower: f}
	f.conversations[r.ConversationID] = t
	f.inOrder = append(f.inOrder, t)
	return t
}

// Finish says what the end of the input decides.
func (f *Tracker) Finish() {
	for _, t := range f.inOrder {
		t.finish()
	}
	f.emit(&Event{Kind: Finished})
}
