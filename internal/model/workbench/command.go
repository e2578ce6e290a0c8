package workbench

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lmclint/lmclint/internal/source"
)

const (
	// defaultLimit is how many messages the service returns by default. A list of
	// that length may start in the middle of the conversation.
	defaultLimit = 100

	// firstText is how many bytes of a content are kept.
	firstText = 200
)

// PendingCommand is a command, or a chat that starts with one.
type PendingCommand struct {
	Place  source.Place
	Name   string // the first word of the command
	Target string // as of Message.Target
	// Instead is the type of the first message, logs excepted, with which an
	// assistant answered before the user continued; "" if there is none.
	Instead string
	// Met is whether its target has responded.
	Met bool

	id        ID
	overtaken bool // the user continued
	optional  bool // no response is required, because no user sent it
}

// commands matches the commands of a conversation with responses. A response
// does not say which command it answers: see addResponse.
type commands struct {
	pending []*PendingCommand // without a response, in their order
	chat    *PendingCommand   // the last chat that starts with a command
	latest  *PendingCommand   // the last command with a response
	orphans []source.Place    // responses without a command
	types   map[string]bool   // of messages; nil before the first
	first   string            // content of the first message, truncated
	count   int               // of messages
	dropped bool              // a command was dropped because of MaxCommands
}

// stepCommands follows a message that may be a command, a response, or what an
// assistant sends instead.
func (c *conversationState) stepCommands(m *Message) {
	if c.tracker.partial {
		return
	}
	s := &c.commands
	if s.types == nil {
		s.types, s.first = map[string]bool{}, truncated(m.Content)
	}
	s.types[m.Meant] = true
	s.count++
	switch {
	case m.Role == "":
		c.disordered = true // it may be a command, or the response to one
	case m.Meant == "": // it is neither, and what it is instead is not known
	case m.Role == User && (m.Meant == Command || m.Meant == Chat && CommandName(m.Content) != ""):
		c.commands.overtake()
		c.addCommand(m)
	case m.Meant == Command:
		if !strings.HasPrefix(m.Content, "/") {
			s.setInstead(m.Meant) // a text of the assistant, with the wrong type
		}
		c.addCommand(m)
	case m.Meant == Response:
		c.addResponse(m)
	case m.Role == Assistant && m.Meant != Log:
		s.setInstead(m.Meant)
	case m.Role == User && m.Meant != Notice && m.Meant != Log:
		s.overtake()
	}
}

func truncated(content string) string { return strings.Clone(content[:min(len(content), firstText)]) }

func (c *conversationState) addCommand(m *Message) {
	s := &c.commands
	id, _ := ParseUUID(m.ID.Text())
	name, _, _ := strings.Cut(strings.TrimSpace(truncated(m.Content)), " ")
	command := &PendingCommand{Place: m.Place(), Name: name, Target: strings.Clone(m.Target()), id: id, optional: m.Role != User}
	switch {
	case m.Meant == Chat:
		s.chat = command
	case len(s.pending) == MaxCommands:
		s.dropped = true
		c.tracker.limitReached(m.Record)
	default:
		s.pending = append(s.pending, command)
	}
}

// addResponse matches a response with a command without one, or else with the
// command that was answered last.
func (c *conversationState) addResponse(m *Message) {
	s := &c.commands
	if i := s.answeredBy(m.SenderID); i >= 0 {
		s.latest = s.pending[i]
		s.pending = slices.Delete(s.pending, i, i+1)
	} else if s.latest == nil {
		s.latest = s.chat
	}
	switch {
	case s.latest != nil:
		s.latest.Met = s.latest.Met || m.SenderID == s.latest.Target
		c.tracker.emit(&Event{Kind: Answered, Record: m.Record, Message: m, Asked: s.latest})
	case len(s.orphans) < defaultLimit:
		s.orphans = append(s.orphans, m.Place())
	case !s.dropped:
		c.tracker.emit(&Event{Kind: ResponseWithoutCommand, Record: m.Record, Message: m, Place: m.Place()})
	}
}

// answeredBy returns the index of the pending command that a response of a sender
// answers, -1 if there is none: the newest of those that are directed at it, else
// of those of users that are directed at no one else, else of all.
func (s *commands) answeredBy(sender string) int {
	open, undirected := -1, -1
	for i, command := range slices.Backward(s.pending) {
		switch {
		case sender != "" && command.Target == sender:
			return i
		case undirected < 0 && !command.optional && (command.Target == "" || command.Target == "all"):
			undirected = i
		case open < 0:
			open = i
		}
	}
	if undirected >= 0 {
		return undirected
	}
	return open
}

// setInstead notes what an assistant sends after pending commands.
func (s *commands) setInstead(kind string) {
	for i := len(s.pending) - 1; i >= 0 && !s.pending[i].overtaken; i-- {
		if s.pending[i].Instead == "" {
			s.pending[i].Instead = kind
		}
	}
}

// overtake notes that the user continued.
func (s *commands) overtake() {
	for i := len(s.pending) - 1; i >= 0 && !s.pending[i].overtaken; i-- {
		s.pending[i].overtaken = true
	}
}

// finishCommands emits commands without a response and responses without a
// command, unless the positions of messages prove nothing.
func (c *conversationState) finishCommands() {
	s := &c.commands
	// All messages are of one type if the service was asked for that type, but not if an
	// assistant answered a command with a text of that type.
	isFiltered := len(s.types) == 1 && !slices.ContainsFunc(s.pending, func(p *PendingCommand) bool { return p.Instead != "" })
	if isFiltered || c.disordered || c.tracker.doubtful {
		return
	}
	for _, command := range s.pending {
		if !command.optional {
			c.tracker.emit(&Event{Kind: Unanswered, Asked: command, Place: command.Place})
		}
	}
	if s.count == defaultLimit && !strings.Contains(s.first, "created the conversation") {
		return // the list may start in the middle of the conversation
	}
	for _, place := range s.orphans {
		c.tracker.emit(&Event{Kind: ResponseWithoutCommand, Place: place})
	}
}

var slashed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(/[A-Za-z?][\w-]*)($|[\s(,:;!?]|\.(?:\s|$))`)
})

// CommandName returns the name of the command that a text starts with, as in
// /help, and "" for any other text, such as /usr/bin.
func CommandName(content string) string {
	if match := slashed().FindStringSubmatch(content); match != nil {
		return match[1]
	}
	return ""
}

// conversationState is the state of one conversation.
type conversationState struct {
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
func (c *conversationState) stepExport(r *Record) {
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
func (c *conversationState) checkSequence(r *Record) {
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
func (c *conversationState) checkTime(m *Message) {
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
func (c *conversationState) addParticipants(r *Record) {
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
func (c *conversationState) addPeople(m *Message) {
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
func (c *conversationState) finish() {
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
