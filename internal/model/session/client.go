package session

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// acceptClient follows a frame of the client that the server accepted.
func (s *Session) acceptClient(r *lmc.Record) {
	switch {
	case r.IsAuth():
		return
	case r.IsAck():
		s.acknowledge(r)
		return
	case r.Type == "command" && !r.Flag() && r.Content != nil && !r.HasInvalid(lmc.InvalidType|lmc.InvalidContent) && s.client.LacksStart():
		s.bareCommand(r)
		return
	}
	bare := s.command.bare
	s.command.bare = false
	if bare && r.End && s.client.Open() == nil {
		s.messageEnded(r)
		return
	}
	if r.HasInvalid(lmc.InvalidRole) && r.Content == nil && !r.Flag() {
		s.acks.lostAcks++ // it may have been an acknowledgement
	}
	if r.Start || r.Type == "command" && r.Content != nil && s.client.Open() == nil { // its start was lost
		s.interrupt(r)
		s.response.due = dueNothing
	}
	s.client.SetLast(r.Source)
	if isUnclear(r) {
		s.lastPart = lastPart{} // it may have stood between two parts
	}
	s.client.Follow(r)
	if r.Type == "command" && r.Start && r.Content != nil && !r.Empty() {
		s.readCommand(r) // it has its effect, although its keys conflict
	}
	if r.End && (!r.Start || r.Type == "command") {
		s.messageEnded(r)
	}
}

// interrupt notes a frame that interrupts the current response, if there is one.
func (s *Session) interrupt(r *lmc.Record) {
	p := &s.response
	if p.cause == nil && (p.running || s.server.Open() != nil) {
		p.cause, p.midBlock = &Interruption{}, s.server.Open() != nil
		p.cause.At.Set(r.Source, nil)
	}
}

// messageEnded notes that a message of the client has ended, so that a response
// is due.
func (s *Session) messageEnded(r *lmc.Record) {
	p := &s.response
	p.due = dueMessage
	if s.command.open { // it is empty
		s.command.open, s.command.meant = false, commandAny
		s.applyCommand("")
	}
	switch s.command.meant {
	case commandStop:
		p.due = dueNothing
	case commandGo:
		p.due = dueGo
	case commandAny:
		p.due = dueAny
	}
	s.command.meant = commandNone
	if p.running && p.cause == nil {
		p.due = dueNothing // the current response answers it: the log has the two in the wrong order
	}
	p.awaited = p.due == dueMessage || p.due == dueGo
	s.asked++
	s.completes.owed++
	p.ended.Set(r.Source, nil)
}

// clientEvent handles an event of the client's tracker.
func (s *Session) clientEvent(kind lmc.Kind, event any) {
	switch e := event.(type) {
	case *lmc.OpenedEvent:
		s.command.begin(e.Block.Type)
		s.lastPart = lastPart{}
	case *lmc.ContentEvent:
		switch e.Record.Type {
		case "image", "audio", "file":
			s.readPart(e.Record)
		case "code":
			s.server.KnowCode() // which it may run
			s.lastPart = lastPart{}
		case "command":
			s.readCommand(e.Record)
			fallthrough
		default:
			s.lastPart = lastPart{}
		}
	case *lmc.ClosedEvent:
		s.closeCommand(e.Block)
	}
	s.forward(kind, event)
}

// lastPart is the last part of the user's message of a type whose consecutive
// parts the server merges into one.
type lastPart struct {
	kind, format string
	at           source.PlaceRef
	reported     bool
}

func (s *Session) readPart(r *lmc.Record) {
	last := &s.lastPart
	if last.kind != r.Type || last.format != r.Format {
		*last = lastPart{kind: r.Type, format: r.Format}
		last.at.Set(r.Source, nil)
		return
	}
	if !last.reported && !r.Empty() {
		last.reported = true
		emit(s, JoinedParts, &JoinedPart{r, &last.at})
	}
}

// maxCommand is how many bytes of a command's text are kept.
const maxCommand = 256

// command is the current command of the user.
type command struct {
	open  bool   // the open block is of type command, or contains one
	bare  bool   // it has no start: its end may follow
	text  []byte // of its chunks, joined
	at    source.PlaceRef
	meant meaning
	wrong bool // it was reported before its end
}

// meaning is what a command is meant to do. commandAny is one that could not
// be read.
type meaning uint8

const (
	commandNone meaning = iota
	commandGo
	commandStop
	commandAny
)

func (c *command) begin(blockType string) {
	c.open, c.text, c.meant, c.wrong = blockType == "command", c.text[:0], commandNone, false
}

// bareCommand follows a command outside a block, which the server only stores. It has
// the effect that was intended; an end that follows belongs to the same mistake.
func (s *Session) bareCommand(r *lmc.Record) {
	emit(s, BareCommand, r)
	s.command.begin("command")
	if name, _ := s.options.Command(r.Text()); name != "go" {
		s.interrupt(r)
	}
	s.readCommand(r)
	s.checkCommand()
	s.command.open = false
	meant := s.command.meant
	s.client.SkipContentWithoutStart(r)
	s.messageEnded(r)
	s.response.awaited = false
	s.command.meant, s.command.bare = meant, true
}

// readCommand adds a chunk of a command, which takes effect immediately.
func (s *Session) readCommand(r *lmc.Record) {
	c := &s.command
	if len(c.text) == 0 {
		c.at.Set(r.Source, r.Content)
	}
	text := r.Text()
	c.text = append(c.text, text[:min(len(text), maxCommand-len(c.text))]...)
	c.open = true
	name, _ := s.options.Command(string(c.text))
	switch name {
	case "go":
		c.meant = commandGo
	case "stop":
		c.meant = commandStop
	default:
		c.meant = commandAny
	}
	s.applyCommand(name)
	if s.options.Live && !c.wrong && !s.options.Begins(string(c.text)) {
		c.wrong = true
		emit(s, UnknownCommand, &Command{string(c.text), &c.at})
	}
}

// applyCommand notes the effect of a command on the response. An empty name may
// be any command.
func (s *Session) applyCommand(name string) {
	p := &s.response
	if name != "stop" {
		p.approved = true
	}
	if name != "go" {
		p.stopped = p.stopped || p.running || p.awaited || s.server.Open() != nil
		p.awaited = false
	}
	if p.cause != nil && p.cause.Command == "" {
		p.cause.Command = name
	}
}

// closeCommand checks the command when its block closes. A command that is
// empty or lost a frame may be any.
func (s *Session) closeCommand(b *lmc.Block) {
	c := &s.command
	switch {
	case !c.open:
	case len(c.text) == 0:
		return // ask handles it
	case b.Lossy:
		c.meant = commandAny
		s.applyCommand("")
	default:
		s.checkCommand()
	}
	c.open = false
}

// checkCommand reports a command that the server does not define.
func (s *Session) checkCommand() {
	c := &s.command
	switch _, exact := s.options.Command(string(c.text)); {
	case c.wrong:
		return
	case !exact:
		emit(s, UnknownCommand, &Command{string(c.text), &c.at})
		return
	case c.meant != commandGo:
		return
	}
	if id, named := strings.CutPrefix(string(c.text), "go:"); !s.approvals.grant(id) && named && !s.response.lossy {
		emit(s, UnknownApproval, &Command{id, &c.at})
	}
}

// Limits on the frames that are held until the server sends its first frame.
// Beyond them the server is assumed to need no authentication.
const (
	maxHeld      = 256
	maxHeldBytes = 1 << 20
)

// authGate holds the client's frames until it is known whether the server
// accepted them: the server drops each frame before the right key and answers
// {"auth": false}, in the order of the frames.
type authGate struct {
	open   bool          // frames are accepted
	closed bool          // the server requires a key
	passed bool          // the server accepted a key
	held   []*lmc.Record // a record without Root could not be read
	bytes  int
}

// followClient follows a frame of the client.
func (s *Session) followClient(r *lmc.Record) {
	if !s.gate.open && !s.queuesEarly() {
		s.hold(r.Clone())
		if !s.options.Live {
			return
		}
	}
	s.acceptClient(r)
}

// hold keeps a frame until the gate opens. Too many frames open it.
func (s *Session) hold(r *lmc.Record) {
	s.gate.held = append(s.gate.held, r)
	s.gate.bytes += len(r.Source.Data)
	if len(s.gate.held) > maxHeld || s.gate.bytes > maxHeldBytes {
		s.openGate()
	}
}

// loseClient follows a frame of the client that could not be read.
func (s *Session) loseClient(src *source.Record) {
	if !s.gate.open && !s.queuesEarly() {
		s.hold(&lmc.Record{Source: src.Clone()})
		if !s.options.Live {
			return
		}
	}
	s.client.SkipUnreadable(src)
	s.completes.owed++         // it may have ended a message
	s.response.approved = true // it may have been the command go
	if s.command.open {
		s.command.meant = commandAny // it may have been the command
	}
	s.lastPart = lastPart{} // it may have stood between two parts
}

// auth follows the server's frame about the client's key.
func (s *Session) auth(r *lmc.Record) {
	g, value := &s.gate, r.Key("auth")
	switch {
	case value.Kind == source.Bool && string(value.Raw()) == "true":
		s.dropBeforeKey()
		s.openGate()
		g.passed = true
	case g.passed, s.queuesEarly():
	default:
		g.open, g.closed = false, true
		if len(g.held) > 0 {
			s.drop(g.held[0])
			g.held = g.held[1:]
		}
	}
}

// leaveGate decides about the held frames at the end of the input.
func (s *Session) leaveGate() {
	if s.gate.closed && !s.dropBeforeKey() {
		for _, r := range s.gate.held {
			s.drop(r)
		}
		s.gate.held = nil
	}
	s.openGate()
}

// dropBeforeKey drops the held frames up to the first key, and reports whether
// there is one.
func (s *Session) dropBeforeKey() bool {
	g := &s.gate
	i := slices.IndexFunc(g.held, (*lmc.Record).IsAuth)
	if i < 0 {
		return false
	}
	for _, early := range g.held[:i] {
		s.drop(early)
	}
	g.held = g.held[i+1:]
	return true
}

// drop reports a frame that the server dropped.
func (s *Session) drop(r *lmc.Record) {
	if !r.IsAuth() && (r.Source.Root != nil || r.Binary) {
		emit(s, SentBeforeAuth, r)
	}
}

// openGate follows the held frames.
func (s *Session) openGate() {
	held := s.gate.held
	s.gate.open, s.gate.held, s.gate.bytes = true, nil, 0
	if s.options.Live { // they were followed when they came
		return
	}
	for _, r := range held {
		if r.Source.Root == nil && !r.Binary {
			s.loseClient(r.Source)
			continue
		}
		s.acceptClient(r)
	}
}

func (s *Session) queuesEarly() bool { return s.options.QueuesEarly != nil && s.options.QueuesEarly() }
