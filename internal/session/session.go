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
