package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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
