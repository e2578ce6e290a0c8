package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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
