package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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

// mayBeEither reports whether a start that comes from the wrong side may as
// well have the wrong role as the wrong direction: both sides begin such a block.
func (s *Session) hasAmbiguousSide(r *lmc.Record) bool {
	return s.foreign && s.options.Completes && r.Start && !r.End && r.Content == nil && !r.IsServerFrame()
}

// decide says whose the start is that came from the wrong side, now that the
// next frame is there, or nothing is to come.
func (s *Session) decide(next *lmc.Record) {
	start := s.pendingStart
	if start == nil || next != nil && next.IsAck() && !acknowledges(next, start) {
		return
	}
	s.pendingStart = nil
	client := s.fromClient(start)
	s.foreign = !s.hasWrongRole(start, next)
	if !s.foreign {
		client = !client
		start.Invalid |= lmc.InvalidRole
	}
	s.follow(client, start)
}

// hasWrongRole reports whether a start belongs to the side that the log names,
// and not to the one of its role: the next frame from there goes on with it, or
// it would break a block off on the other side.
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
	case next.IsAck(): // what the server sent is acknowledged
		return own == s.server
	case next.IsAuth() && next.Source.Direction == source.Received: // what the client sent is refused
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
