package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// sent follows a frame of the client's that the server took in.
func (s *Session) sent(r *lmc.Record) {
	switch {
	case r.IsAuth():
		return
	case r.IsAck():
		s.acknowledge(r)
		return
	case s.isBareCommand(r):
		s.bareCommand(r)
		return
	}
	bare := s.command.bare
	s.command.bare = false
	if bare && r.End && s.client.Open() == nil {
		s.ask(r)
		return
	}
	if r.HasInvalid(lmc.InvalidRole) && r.Content == nil && !r.Flag() {
		s.receipts.lostReceipts++ // it may have been one
	}
	if r.Start {
		s.interrupt(r)
		s.response.due = dueNothing
	}
	s.client.Last(r.Source)
	s.client.Follow(r)
	if r.End && !r.Start {
		s.ask(r)
	}
}

// interrupt notes a frame that cuts off the response under way, if there is one.
func (s *Session) interrupt(r *lmc.Record) {
	p := &s.response
	if p.cause == nil && (p.running || s.server.Open() != nil) {
		p.cause, p.midBlock = &lmc.Cause{}, s.server.Open() != nil
		p.cause.At.Set(r.Source, nil)
	}
}

// ask notes that a message of the client's has ended, so that a response is due.
func (s *Session) ask(r *lmc.Record) {
	p := &s.response
	p.due = dueMessage
	if s.command.open { // it is empty
		s.command.open, s.command.meant = false, commandAny
		s.obey("")
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
		p.due = dueNothing // what is under way answers it: the log has the two in the wrong order
	}
	p.awaited = p.due == dueMessage || p.due == dueGo
	p.ended.Set(r.Source, nil)
}

// clientEvent follows what happens on the client's side.
func (s *Session) clientEvent(e *lmc.Event) {
	switch e.Kind {
	case lmc.Opened:
		s.command.begin(e.Block.Type)
		s.parts = parts{}
	case lmc.Content, lmc.ActiveLine, lmc.PlainText:
		s.read(e)
	case lmc.Closed:
		s.closeCommand(e.Block)
	}
	s.pass(e)
}

// read takes in a part of the user's message.
func (s *Session) read(e *lmc.Event) {
	r := e.Record
	switch r.Type {
	case "command":
		s.readCommand(r)
	case "image", "audio", "file":
		s.readPart(e)
		return
	}
	s.parts = parts{}
}

// parts is the last part of the user's message that the server can only join
// to one of its own kind.
type parts struct {
	kind, format string
	at           source.PlaceRef
	told         bool
}

func (s *Session) readPart(e *lmc.Event) {
	r, last := e.Record, &s.parts
	if last.kind != r.Type || last.format != r.Format {
		*last = parts{kind: r.Type, format: r.Format}
		last.at.Set(r.Source, nil)
		return
	}
	if !last.told && !r.Empty() {
		last.told = true
		s.tell(lmc.Event{Kind: lmc.JoinedParts, Record: r, Block: e.Block, Last: &last.at, Sent: true})
	}
}

// maxCommand is how much of a command's text is kept, in bytes.
const maxCommand = 256

// command is the user's command under way.
type command struct {
	open  bool   // the block is one of a command, or holds one
	bare  bool   // it came without a start: its end may follow
	text  []byte // what its chunks say together
	at    source.PlaceRef
	meant meaning
}

// meaning is what a command is meant to do. One that could not be read may
// be any.
type meaning uint8

const (
	commandNone meaning = iota
	commandGo
	commandStop
	commandAny
)

func (c *command) begin(blockType string) {
	c.open, c.text, c.meant = blockType == "command", c.text[:0], commandNone
}

// unclear notes that a frame was lost that may have been the command.
func (c *command) unclear() {
	if c.open {
		c.meant = commandAny
	}
}

// isBareCommand reports whether a frame is a command that stands in no block,
// so that the server only stores it.
func (s *Session) isBareCommand(r *lmc.Record) bool {
	if r.Type != "command" || r.Flag() || r.Content == nil || r.HasInvalid(lmc.InvalidType|lmc.InvalidContent) {
		return false
	}
	return s.client.LacksStart()
}

// bareCommand follows a command without its start. It counts as the command
// that it was meant to be; an end that follows belongs to the same mistake.
func (s *Session) bareCommand(r *lmc.Record) {
	s.tell(lmc.Event{Kind: lmc.BareCommand, Record: r, Sent: true})
	s.command.begin("command")
	if name, _ := s.options.Command(r.Text()); name != "go" {
		s.interrupt(r)
	}
	s.readCommand(r)
	s.judgeCommand()
	s.command.open = false
	meant := s.command.meant
	s.client.SkipContentWithoutStart(r)
	s.ask(r)
	s.response.awaited = false
	s.command.meant, s.command.bare = meant, true
}

// readCommand adds a chunk of a command. What it asks for holds from here on.
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
	s.obey(name)
}

// obey notes what a command does to the response.
func (s *Session) obey(name string) {
	p := &s.response
	if name != "stop" {
		p.goes = true
	}
	if name != "go" {
		p.stopped = p.stopped || p.running || p.awaited || s.server.Open() != nil
		p.awaited = false
	}
	if p.cause != nil && p.cause.Command == "" {
		p.cause.Command = name
	}
}

// closeCommand judges the command when its block closes. One that is empty or
// lost a frame may have been any.
func (s *Session) closeCommand(b *lmc.Block) {
	c := &s.command
	switch {
	case !c.open:
	case len(c.text) == 0:
		return // ask knows of it
	case b.Lossy:
		c.meant = commandAny
		s.obey("")
	default:
		s.judgeCommand()
	}
	c.open = false
}

// judgeCommand tells of a command that the server does not know.
func (s *Session) judgeCommand() {
	c := &s.command
	if _, exact := s.options.Command(string(c.text)); !exact {
		s.tell(lmc.Event{Kind: lmc.UnknownCommand, Last: &c.at, Text: string(c.text), Sent: true})
	}
}
