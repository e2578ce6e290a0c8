// Package session follows both directions of a WebSocket connection.
//
// A [Session] has an lmc.Tracker for each direction and relates the two: a
// response is due when a message of the user has ended, the command go approves
// pending code, and a new message or a stop interrupts a response.
package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Session follows both directions of a connection. Each has a tracker, for
// each has its own open block; what one side sends explains what the other
// does: a response is due when the user's message has ended, a go approves the
// code that waits, and a new message or a stop cuts a response off.
type Session struct {
	options  Options
	emit     lmc.Emit
	event    lmc.Event
	client   *lmc.Tracker
	server   *lmc.Tracker
	gate     authGate
	receipts ackTracker
	response response
	command  command
	parts    parts
	cut      bool
	heard    bool // a frame of the server's was seen
	foreign  bool // the frame at hand is followed on the side that it did not come from

	pendingStart *lmc.Record // a start from the wrong side, until the next frame says whose it is
	misdirected  bool        // it came from the wrong side
	sound        [3]bool     // directions in which some frame came from the right side
}

// SessionOptions are what a dialect says about sessions.
type Options struct {
	// IsNote says which code formats are text and never run.
	IsNote func(language string) bool
	// Command returns the command that a text is or is meant to be, "" if it
	// is near none, and whether it is spelled just so.
	Command func(text string) (command string, exact bool)
	// Completes says that the server closes each response.
	Completes bool
}

// NewSession makes a follower that hands its events to emit.
func New(options Options, emit lmc.Emit) *Session {
	s := &Session{options: options, emit: emit}
	s.client = lmc.NewClientTracker(options.IsNote, s.clientEvent)
	s.server = lmc.NewTracker(options.IsNote, s.serverEvent)
	return s
}

// Step follows one frame.
func (s *Session) Step(r *lmc.Record) {
	if !r.Binary {
		s.tell(lmc.Event{Kind: lmc.Seen, Record: r})
	}
	s.Follow(r)
}

// Follow is Step for a frame that is told of to nobody.
func (s *Session) Follow(r *lmc.Record) {
	s.decide(r)
	client := s.side(r)
	if s.hasAmbiguousSide(r) {
		s.pendingStart = r.Clone()
		return
	}
	s.follow(client, r)
}

// follow follows a frame on its side.
func (s *Session) follow(client bool, r *lmc.Record) {
	if client {
		s.send(r)
		return
	}
	s.receive(r)
}

// side says whose side a frame belongs to, and tells of one that comes from the
// wrong one. Either its direction is wrong or its role, which then counts for
// nothing.
func (s *Session) side(r *lmc.Record) (client bool) {
	direction, before := r.Source.Direction, s.misdirected
	client = s.fromClient(r)
	logged := direction == source.Sent
	s.foreign, s.misdirected = false, direction != source.Undirected && client != logged
	switch {
	case !s.misdirected:
		s.sound[direction] = true
		return client
	case !before && !lacksType(r):
		s.tell(lmc.Event{Kind: lmc.RoleFromWrongSide, Record: r, Sent: logged})
	}
	if s.sound[direction] && s.options.Completes && !s.speaks(client, r) {
		r.Invalid |= lmc.InvalidRole
		return logged
	}
	s.foreign = true
	return client
}

// speaks reports whether a frame may well be one of a side's: it goes on with
// what is open there, or begins what that side sends.
func (s *Session) speaks(client bool, r *lmc.Record) bool {
	side := s.server
	if client {
		side = s.client
	}
	switch {
	case side.Fits(r), r.Content == nil && !r.Flag(), r.IsServerFrame():
		return true
	case r.Content != nil || r.End:
		return false
	}
	switch r.Type {
	case "message", "image":
		return true
	case "", "audio", "file", "command":
		return client
	case "code", "console", "review":
		return !client
	}
	return true
}

// lacksType reports whether a flag lacks the type that only the user's may do
// without: that is told already.
func lacksType(r *lmc.Record) bool { return r.Type == "" && r.Flag() && r.HasInvalid(lmc.InvalidType) }

// fromClient says whose frame a record is. Where the log and the frame's own
// role contradict each other, the role counts: it says more about what the
// frame is part of.
func (s *Session) fromClient(r *lmc.Record) bool {
	direction := r.Source.Direction
	switch {
	case r.Binary:
	case r.IsAck():
		return true
	case r.IsAuth():
		return direction == source.Sent || direction == source.Undirected && r.Key("auth").Kind == source.String
	case r.HasInvalid(lmc.InvalidRole):
	case r.Role == "user":
		return true
	case r.Role == "assistant", r.Role == "computer", r.Role == "server":
		return false
	}
	return direction == source.Sent
}

// SkipUnreadable passes over a frame that could not be read. Where even the side is
// unknown that sent it, it may have been either's.
func (s *Session) SkipUnreadable(src *source.Record) {
	s.decide(nil)
	if src.Direction != source.Received {
		s.receipts.lostReceipts++
		s.lose(src)
	}
	if src.Direction != source.Sent {
		s.receipts.lostFrames++
		s.response.doubt = true
		s.server.SkipUnreadable(src)
	}
	s.heard = s.heard || src.Direction == source.Received
}

// Last does nothing: a session remembers its last frames itself.
func (s *Session) Last(*source.Record) {}

// Want does nothing: a session's own state hangs on most kinds of events.
func (s *Session) SetWanted(lmc.Kind) {}

// CutOff says that the input ends inside a frame.
func (s *Session) CutOff() {
	s.cut = true
	s.client.CutOff()
	s.server.CutOff()
}

// Finish ends the session.
func (s *Session) Finish() {
	s.decide(nil)
	s.leaveGate()
	truncated := s.server.Open() != nil
	s.client.Finish()
	s.server.Finish()
	if !s.cut {
		unfinished := s.finishResponse(truncated)
		s.finishReceipts(truncated || unfinished)
	}
	s.tell(lmc.Event{Kind: lmc.Finished})
}

// tell hands over an event, which is good during the call only.
func (s *Session) tell(e lmc.Event) {
	s.event = e
	s.emit(&s.event)
}

// pass hands a tracker's event on.
func (s *Session) pass(e *lmc.Event) {
	if e.Kind != lmc.Finished {
		s.emit(e)
	}
}
