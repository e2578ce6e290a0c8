package session

import (
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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
		s.emitEvent(lmc.Event{Kind: lmc.RoleFromWrongSide, Record: r, Sent: logged})
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
