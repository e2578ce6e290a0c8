// Package session follows both directions of a WebSocket connection.
//
// A [Session] has an lmc.Tracker for each direction and relates the two: a
// response is due when a message of the user has ended, the command go approves
// pending code, and a new message or a stop interrupts a response.
package session

import (
	"slices"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Session follows both directions of a connection. Each direction has a
// tracker, because each has an open block of its own.
type Session struct {
	options    Options
	emit       lmc.Emit
	client     *lmc.Tracker
	server     *lmc.Tracker
	gate       authGate
	acks       ackTracker
	response   response
	command    command
	approvals  approvals
	lastPart   lastPart
	truncated  bool // the input ends inside a frame
	serverSeen bool // a frame of the server was seen
	clientSeen bool // a frame of the client was seen
	asked      int  // messages of the user
	completes  completes
	wrongSide  bool // the current frame is followed on the side that it did not come from

	pendingStart *lmc.Record // a start from the wrong side, until the next frame decides its side
	misdirected  bool        // the frame before came from the wrong side
	trusted      [3]bool     // by direction: some frame came from the right side
}

// Options are what a dialect defines for sessions.
type Options struct {
	// IsNote reports whether code of a language is text that never runs.
	IsNote func(language string) bool
	// Command returns the command that a text is or resembles, or "", and
	// whether it is spelled exactly like the command.
	Command func(text string) (command string, exact bool)
	// Begins reports whether a text is a command, or the beginning of one.
	Begins func(text string) bool
	// Completes is set if the server ends each response with complete.
	Completes bool
	// QueuesEarly reports whether the server keeps the frames that come before
	// authentication.
	QueuesEarly func() bool
	// Live is set if each frame is sent on once it was followed: everything about it
	// is decided then, and its direction is certain.
	Live bool
}

// New returns a Session that passes its events to emit.
func New(options Options, emit lmc.Emit) *Session {
	s := &Session{options: options, emit: emit}
	s.client = lmc.NewClientTracker(options.IsNote, s.clientEvent)
	s.server = lmc.NewTracker(options.IsNote, s.serverEvent)
	return s
}

// Step follows one frame.
func (s *Session) Step(r *lmc.Record) {
	if !r.Binary {
		emit(s, lmc.Shape, r)
	}
	s.decide(r)
	client := s.side(r)
	if s.wrongSide && !s.options.Live && s.options.Completes && r.Start && !r.End && r.Content == nil && !r.IsServerFrame() {
		s.pendingStart = r.Clone() // its role or its direction is wrong: both sides begin such blocks
		return
	}
	s.follow(client, r)
}

// isUnclear reports whether a frame may have been any: neither its role nor its
// type is valid.
func isUnclear(r *lmc.Record) bool {
	return r.HasInvalid(lmc.InvalidRole) && r.HasInvalid(lmc.InvalidType)
}

// follow passes a frame to its side.
func (s *Session) follow(client bool, r *lmc.Record) {
	if client {
		s.clientSeen = true
		s.followClient(r)
	} else {
		s.followServer(r)
	}
	if s.options.Live {
		s.client.ReportEmpty()
		s.server.ReportEmpty()
	}
}

// SkipUnreadable skips a frame that could not be read. If its direction is
// unknown, either side may have sent it.
func (s *Session) SkipUnreadable(src *source.Record) {
	s.decide(nil)
	if src.Direction != source.Received {
		s.clientSeen = true
		s.acks.lostAcks++
		s.loseClient(src)
	}
	if src.Direction != source.Sent {
		s.acks.lostFrames++
		s.approvals.waits, s.approvals.unnamed = true, true // it may have been a confirmation
		s.response.lossy = true
		s.server.SkipUnreadable(src)
	}
	s.serverSeen = s.serverSeen || src.Direction == source.Received
}

// OpenFor returns the open block of the side that sent a frame, or nil.
func (s *Session) OpenFor(r *lmc.Record) *lmc.Block {
	if r.Source.Direction == source.Sent {
		for _, held := range slices.Backward(s.gate.held) {
			if held.Start != held.End {
				return lmc.HeldBlock(held)
			}
		}
		return s.client.Open()
	}
	return s.server.Open()
}

// Started returns the server's open block if it has a start, else nil. A chunk with content
// and an end may be its last one; its clients may wait for an end all the same.
func (s *Session) Started() *lmc.Block {
	if b := s.server.Open(); b != nil && !b.Stray {
		return b
	}
	return nil
}

// CutOff notes that the input ends inside a frame.
func (s *Session) CutOff() {
	s.truncated = true
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
	if !s.truncated {
		unfinished := s.finishResponse(truncated)
		s.finishAcks(truncated || unfinished)
	}
	emit(s, lmc.Finished, nil)
}

// forward emits an event of a tracker.
func (s *Session) forward(kind lmc.Kind, event any) {
	switch e, isUnclosed := event.(*lmc.UnclosedEvent); {
	case lmc.Finished.Is(kind):
	case isUnclosed && e.Block.Sent && e.Block.Role == "assistant" && e.Block.Type == "code" && e.Record.Type == "command":
		// the server runs stored code at the command, with or without an end
	default:
		s.emit(kind, event)
	}
}

// side returns the side that a frame belongs to, and reports a frame that comes
// from the other one. Either its direction is wrong or its role, which is then
// marked invalid.
func (s *Session) side(r *lmc.Record) (client bool) {
	direction, before := r.Source.Direction, s.misdirected
	client = s.fromClient(r)
	logged := direction == source.Sent
	s.wrongSide, s.misdirected = false, direction != source.Undirected && client != logged
	switch {
	case !s.misdirected:
		s.trusted[direction] = true
		return client
	case !before && (r.Type != "" || !r.Flag() || !r.HasInvalid(lmc.InvalidType) || logged): // the server's flag that may not omit its type is reported already
		emit(s, RoleFromWrongSide, r)
	}
	if s.trusted[direction] && s.options.Completes && !s.maySend(client, r) {
		r.Invalid |= lmc.InvalidRole
		return logged
	}
	s.wrongSide = true
	return client
}

// maySend reports whether a side may have sent a frame: the frame continues the
// open block of that side, or begins a block that the side sends.
func (s *Session) maySend(client bool, r *lmc.Record) bool {
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

// fromClient reports whether the client sent a frame. The role takes precedence
// over the direction in the log, because it decides which block the frame is
// part of.
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

// decide decides the side of the pending start by the frame that follows, which
// is nil at the end of the input.
func (s *Session) decide(next *lmc.Record) {
	start := s.pendingStart
	if start == nil || next != nil && next.IsAck() && !acknowledges(next, start) {
		return
	}
	s.pendingStart = nil
	client := s.fromClient(start)
	s.wrongSide = !s.hasWrongRole(start, next)
	if !s.wrongSide {
		client = !client
		start.Invalid |= lmc.InvalidRole
	}
	s.follow(client, start)
}

// hasWrongRole reports whether a start belongs to the side in the log, not to
// that of its role: the next frame from there continues it, or it would
// interrupt a block of the other side.
func (s *Session) hasWrongRole(start, next *lmc.Record) bool {
	own, other := s.client, s.server
	if s.fromClient(start) {
		own, other = other, own
	}
	switch {
	case own.Open() != nil && (next == nil || own.Fits(next)):
		return false
	case next == nil:
		return other.IsMidBlock()
	case next.IsAck(): // the client acknowledges what the server sent
		return own == s.server
	case next.IsAuth() && next.Source.Direction == source.Received: // the server refuses what the client sent
		return own == s.client
	case start.IsContinuedBy(next):
		return next.Source.Direction == start.Source.Direction && s.fromClient(next) != s.fromClient(start)
	}
	return other.IsMidBlock()
}

// acknowledges reports whether ack carries the id of frame.
func acknowledges(ack, frame *lmc.Record) bool {
	value, id := ack.Key("ack"), frame.Key("id")
	return id != nil && value.Text() == id.Text()
}
