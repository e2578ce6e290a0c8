package workbench

import (
	"strconv"
	"strings"
	"time"

	"github.com/lmclint/lmclint/internal/source"
)

// thread is what is known of one conversation.
type conversation struct {
	follower *Tracker

	// The order of messages.
	last       [2]time.Time // of the last message, without and with an offset
	lastText   string
	backward   bool // the last message was older than the one before it
	disordered bool // some message was
	sequence   sequence

	commands commands

	// Who takes part.
	listed  map[string]bool
	whole   bool // everybody is listed
	senders idPlaces
	targets idPlaces

	known bool // its line of an export was met
	told  bool // that it was not
}

// jitter is by how much a message of a stream may be older than the one before
// it: two that come at once may change places.
const reorderTolerance = time.Second

// order compares the time of a message with the one before.
func (t *conversation) order(m *Message) {
	at, ok := ParseTimestamp(m.Time)
	if !ok || at.Number || m.Record.Shape != ShapeMessage && !m.Record.Streamed() {
		return
	}
	last := &t.last[0]
	if at.Offset {
		last = &t.last[1]
	}
	before := at.Time.Before(*last)
	t.disordered = t.disordered || before
	if m.Record.Streamed() {
		before = at.Time.Add(reorderTolerance).Before(*last)
	}
	if before && !t.backward {
		t.follower.emit(&Event{Kind: OutOfOrder, Record: m.Record, Message: m, Before: t.lastText})
	}
	t.backward, t.lastText, *last = before, m.Time.Text(), at.Time
}

// meet takes in who takes part, as far as the record says.
func (t *conversation) meet(r *Record) {
	for _, p := range r.Participants {
		for _, key := range []string{"id", "user_id", "assistant_id"} {
			if id := p.Member(key).Text(); id != "" {
				t.list(id, r)
			}
		}
	}
	t.whole = t.whole || len(r.Participants) > 1 || r.Shape == ShapeExport && len(r.Participants) > 0
}

func (t *conversation) list(id string, r *Record) {
	if t.listed == nil {
		t.listed = map[string]bool{}
	}
	if len(t.listed) == MaxPeople && !t.listed[id] {
		t.follower.overflow(r)
		return
	}
	t.listed[id] = true
}

// people notes who sends a message and for whom it is.
func (t *conversation) people(m *Message) {
	if m.Record.Shape == ShapeRequest {
		return
	}
	note := func(p *idPlaces, id string, n *source.Node) {
		if id != "" && !p.note(id, m, n) {
			t.follower.overflow(m.Record)
		}
	}
	if m.Role != Service {
		note(&t.senders, m.SenderID, m.Sender)
	}
	if target := m.Target(); target != "all" {
		note(&t.targets, target, m.Meta("directed_at"))
	}
}

// finish says what the end of the conversation decides.
func (t *conversation) finish() {
	t.commands.finish(t)
	if !t.whole || t.follower.doubtful || len(t.listed) == MaxPeople {
		return
	}
	t.missing(&t.senders, UnknownSender)
	t.missing(&t.targets, UnknownTarget)
}

func (t *conversation) missing(p *idPlaces, kind Kind) {
	for _, one := range p.inOrder {
		if !t.listed[one.id] {
			t.follower.emit(&Event{Kind: kind, Name: one.id, Place: one.place})
		}
	}
}

// people are ids, each with the place where it came first.
type idPlaces struct {
	seen    map[string]bool
	inOrder []person
}

type person struct {
	id    string
	place source.Place
}

// note adds an id. It reports false if there are too many.
func (p *idPlaces) note(id string, m *Message, n *source.Node) bool {
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
	p.inOrder = append(p.inOrder, person{id, m.At(n)})
	return true
}

// sequence is the order of an export's messages in one conversation.
type sequence struct {
	last int64
	text string
	fell bool // the last one did not rise
}

// stepExport follows a line of an export.
func (f *Tracker) stepExport(t *conversation, r *Record) {
	switch r.Table() {
	case "Conversation":
		t.known = true
	case "ConversationMessage":
		if !t.known && !t.told && !f.doubtful && r.ConversationID != "" {
			t.told = true
			f.emit(&Event{Kind: MissingConversation, Record: r, Message: r.Message})
		}
	case "ConversationMessageDebug":
		id, form := ParseUUID(r.Data.Member("message_id").Text())
		if _, known := f.ids[id]; form != NoUUID && !known && !f.full && !f.doubtful {
			f.emit(&Event{Kind: MissingMessage, Record: r})
		}
	}
}

// rise compares a message's sequence with the one before.
func (t *conversation) checkSequence(r *Record) {
	n := r.Data.Member("sequence")
	if r.Shape != ShapeExport || n == nil || n.Kind != source.Number {
		return
	}
	value, err := strconv.ParseInt(string(n.Raw()), 10, 64)
	if err != nil {
		return
	}
	s := &t.sequence
	fell := s.text != "" && value <= s.last
	if fell && !s.fell {
		t.follower.emit(&Event{Kind: SequenceNotIncreasing, Record: r, Message: r.Message, Before: s.text})
	}
	t.disordered = t.disordered || fell
	s.last, s.text, s.fell = value, strconv.FormatInt(value, 10), fell
}
