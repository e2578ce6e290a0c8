package lmc

import "github.com/lmclint/lmclint/source"

// mayBeEither reports whether a start that comes from the wrong side may as
// well have the wrong role as the wrong direction: both sides begin such a block.
func (s *Session) mayBeEither(r *Record) bool {
	return s.foreign && s.options.Completes && r.Start && !r.End && r.Content == nil && !r.IsServerFrame()
}

// decide says whose the start is that came from the wrong side, now that the
// next frame is there, or nothing is to come.
func (s *Session) decide(next *Record) {
	start := s.undecided
	if start == nil || next != nil && next.isReceipt() && !next.acknowledges(start) {
		return
	}
	s.undecided = nil
	client := s.fromClient(start)
	s.foreign = !s.hasWrongRole(start, next)
	if !s.foreign {
		client = !client
		start.Doubt |= DoubtRole
	}
	s.follow(client, start)
}

// hasWrongRole reports whether a start belongs to the side that the log names,
// and not to the one of its role: the next frame from there goes on with it, or
// it would break a block off on the other side.
func (s *Session) hasWrongRole(start, next *Record) bool {
	own, other := s.client, s.server
	if s.fromClient(start) {
		own, other = other, own
	}
	switch {
	case own.open != nil && (next == nil || own.open.fits(next)):
		return false
	case next == nil:
		return other.isAmid()
	case next.isReceipt(): // what the server sent is acknowledged
		return own == s.server
	case next.isAuth() && next.Source.Direction == source.Received: // what the client sent is refused
		return own == s.client
	case start.isFollowedBy(next):
		return next.Source.Direction == start.Source.Direction && s.fromClient(next) != s.fromClient(start)
	}
	return other.isAmid()
}

// isAmid reports whether a block is open that has begun well.
func (t *Tracker) isAmid() bool {
	return t.open != nil && !t.open.Stray && !t.open.soft && t.open.Contents > 0
}

// isFollowedBy reports whether a frame goes on with what a start begins, apart
// from the role.
func (r *Record) isFollowedBy(next *Record) bool {
	meant := newBlock(r, false)
	meant.doubt |= DoubtRole
	return !next.Start && meant.fits(next)
}

// acknowledges reports whether a receipt is for a frame.
func (r *Record) acknowledges(frame *Record) bool {
	ack, id := r.Key("ack"), frame.Key("id")
	return id != nil && ack.Text() == id.Text()
}
