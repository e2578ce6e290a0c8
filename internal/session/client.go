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
