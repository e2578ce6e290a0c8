package workbench

import (
	"strconv"
	"time"

	"github.com/lmclint/lmclint/internal/source"
)

// conversation is the state of one conversation.
type conversation struct {
	tracker  *Tracker
	commands commands

	// The order of messages.
	last       [2]time.Time // of the preceding message, without and with a UTC offset
	lastText   string       // its timestamp as written
	backward   bool         // the preceding message was out of order
	disordered bool         // a message was out of order, or is not valid enough to say
	sequence   sequence

	latest ID // of the message that was last mentioned as the latest one, and not known

	// The participants.
	listed   map[string]bool // ids of participants
	complete bool            // all participants are listed
	senders  idPlaces
	targets  idPlaces

	// The line of the conversation in an export.
	exported        bool // it was read
	missingReported bool // MissingConversation was emitted
}

// sequence is the sequence number of the preceding message of an export.
type sequence struct {
	last int64
	text string // as a decimal, "" before the first message
	fell bool   // it was not above the one before it
}

// reorderTolerance is from which age on a message that is older than the
// preceding one is out of order: two that are sent at the same time may change
// places.
const reorderTolerance = time.Second

// stepExport follows a line of an export.
func (c *conversation) stepExport(r *Record) {
	t := c.tracker
	switch r.Table() {
	case "Conversation":
		c.exported = true
	case "ConversationMessage", "UserParticipant", "AssistantParticipant", "File":
		if !c.exported && !c.missingReported && !t.doubtful && r.ConversationID != "" {
			c.missingReported = true
			t.astray = t.astray || len(r.Participants) > 0
			t.emit(&Event{Kind: MissingConversation, Record: r, Message: r.Message})
		}
	}
	switch r.Table() {
	case "Assistant":
		t.addTo(t.assistants, r.Data.Member("assistant_id"), r)
	case "AssistantParticipant":
		t.checkUnique(r, "assistant_id", "conversation_id")
		if !t.hasIn(t.assistants, r.Data.Member("assistant_id")) {
			t.emit(&Event{Kind: MissingAssistant, Record: r})
		}
	case "UserParticipant":
		t.checkUnique(r, "user_id", "conversation_id")
	case "File":
		t.checkUnique(r, "filename", "conversation_id")
		t.addTo(t.files, r.Data.Member("file_id"), r)
	case "FileVersion":
		t.checkUnique(r, "version", "file_id")
		if file := r.Data.Member("file_id"); !t.hasIn(t.files, file) {
			t.emit(&Event{Kind: MissingFile, Record: r})
			t.addTo(t.files, file, r) // report each file once
		}
	case "ConversationMessageDebug":
		t.checkUnique(r, "message_id")
		if id, form := ParseUUID(r.Data.Member("message_id").Text()); form != NoUUID && !t.hasMessage(id) {
			t.emit(&Event{Kind: MissingMessage, Record: r})
		}
	}
}

// checkUnique compares the values of columns of a line of an export, which
// identify it, with those of the lines before.
func (f *Tracker) checkUnique(r *Record, columns ...string) {
	key := r.Table()
	for _, column := range columns {
		n := r.Data.Member(column)
		if n == nil || n.Kind != source.String && n.Kind != source.Number {
			return
		}
		value := normalID(n)
		if n.Kind == source.Number {
			value = string(n.Raw())
		}
		key += "\x00" + value
	}
	n := r.Data.Member(columns[0])
	if first, known := f.keys[key]; known {
		f.emit(&Event{Kind: RepeatedKey, Record: r, First: first, Name: columns[0]})
		return
	}
	if len(f.keys) == MaxIDs {
		f.limitReached(r)
		return
	}
	f.keys[key] = newPlaceRef(r, n)
}

// checkSequence compares the sequence number of a message of an export with the
// preceding one.
func (c *conversation) checkSequence(r *Record) {
	n := r.Data.Member("sequence")
	if r.Shape != ShapeExport || n == nil || n.Kind != source.Number {
		return
	}
	value, err := strconv.ParseInt(string(n.Raw()), 10, 64)
	if err != nil {
		return
	}
	s := &c.sequence
	fell := s.text != "" && value <= s.last
	if fell && !s.fell {
		c.tracker.emit(&Event{Kind: SequenceNotIncreasing, Record: r, Message: r.Message, Before: s.text})
	}
	c.disordered = c.disordered || fell
	s.last, s.text, s.fell = value, strconv.FormatInt(value, 10), fell
}

// checkTime compares the time of a message with the preceding one.
func (c *conversation) checkTime(m *Message) {
	at, ok := ParseTimestamp(m.Time)
	if !ok || at.Number || m.Record.Shape == ShapeExport {
		return
	}
	last := &c.last[0]
	if at.Offset {
		last = &c.last[1]
	}
	before := at.Time.Before(*last)
	c.disordered = c.disordered || before
	before = before && last.Sub(at.Time) >= reorderTolerance
	if before && !c.backward {
		c.tracker.emit(&Event{Kind: OutOfOrder, Record: m.Record, Message: m, Before: c.lastText})
	}
	c.backward, c.lastText, *last = before, m.Time.Text(), at.Time
}

// addParticipants adds the participants that a record lists.
func (c *conversation) addParticipants(r *Record) {
	for _, p := range r.Participants {
		for _, key := range []string{"id", "user_id", "assistant_id"} {
			id := p.Member(key).Text()
			switch {
			case id == "" || c.listed[id]:
			case len(c.listed) == MaxPeople:
				c.tracker.limitReached(r)
			case c.listed == nil:
				c.listed = map[string]bool{id: true}
			default:
				c.listed[id] = true
			}
		}
	}
	c.complete = c.complete || len(r.Participants) > 1 || r.Shape == ShapeExport && len(r.Participants) > 0
}

// addPeople adds the sender and the target of a message.
func (c *conversation) addPeople(m *Message) {
	add := func(p *idPlaces, id string, n *source.Node) {
		if id != "" && !p.add(id, m, n) {
			c.tracker.limitReached(m.Record)
		}
	}
	if m.Role != Service {
		add(&c.senders, m.SenderID, m.Sender)
	}
	if target := m.Target(); target != "all" {
		add(&c.targets, target, m.Meta("directed_at"))
	}
}

// finish emits the events of the end of the conversation.
func (c *conversation) finish() {
	c.finishCommands()
	if !c.complete || c.tracker.doubtful || c.tracker.astray || len(c.listed) == MaxPeople {
		return
	}
	emitUnlisted := func(p *idPlaces, kind Kind) {
		for _, one := range p.inOrder {
			if !c.listed[one.id] {
				c.tracker.emit(&Event{Kind: kind, Name: one.id, Place: one.place})
			}
		}
	}
	emitUnlisted(&c.senders, UnknownSender)
	emitUnlisted(&c.targets, UnknownTarget)
}
