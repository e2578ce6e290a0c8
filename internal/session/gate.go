package session

import (
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits on the frames that wait for the server's first word. Beyond them it
// is taken that the server asks for no key.
const (
	maxHeld      = 256
	maxHeldBytes = 1 << 20
)

// gate holds the client's frames back until it is known whether the server
// took them in: it answers {"auth": false} to each frame that comes before the
// right key, and drops it. The answers come in the order of the frames.
type authGate struct {
	open   bool          // frames are taken in
	closed bool          // the server asked for a key
	passed bool          // the server accepted a key
	held   []*lmc.Record // one without Root could not be read
	bytes  int
}

// send follows a frame of the client's.
func (s *Session) send(r *lmc.Record) {
	if s.gate.open {
		s.sent(r)
		return
	}
	s.hold(r.Clone())
}

// hold keeps a frame until the gate opens, or opens it where that takes too long.
func (s *Session) hold(r *lmc.Record) {
	s.gate.held = append(s.gate.held, r)
	s.gate.bytes += len(r.Source.Data)
	if len(s.gate.held) > maxHeld || s.gate.bytes > maxHeldBytes {
		s.openGate()
	}
}

// lose follows a frame of the client's that could not be read.
func (s *Session) lose(src *source.Record) {
	if s.gate.open {
		s.client.SkipUnreadable(src)
		s.response.goes = true // it may have been that
		s.command.unclear()
		return
	}
	s.hold(&lmc.Record{Source: src.Clone()})
}

// answered follows the server's word on a key.
func (s *Session) answered(accepted bool) {
	g := &s.gate
	switch {
	case accepted:
		s.dropBeforeKey()
		s.openGate()
		g.passed = true
	case g.passed:
	default:
		g.open, g.closed = false, true
		if len(g.held) > 0 {
			s.drop(g.held[0])
			g.held = g.held[1:]
		}
	}
}

// spoke notes that the server spoke as it does to a client whom it knows.
func (s *Session) spoke() {
	if s.gate.open {
		return
	}
	if s.gate.closed {
		s.dropBeforeKey()
	}
	s.openGate()
}

// leaveGate decides about the frames that wait when the input ends.
func (s *Session) leaveGate() {
	if s.gate.closed && !s.dropBeforeKey() {
		for _, r := range s.gate.held {
			s.drop(r)
		}
		s.gate.held = nil
	}
	s.openGate()
}

// dropBeforeKey drops the frames that wait up to the first key, and reports
// whether there is a key among them.
func (s *Session) dropBeforeKey() bool {
	g := &s.gate
	for i, r := range g.held {
		if r.IsAuth() {
			for _, early := range g.held[:i] {
				s.drop(early)
			}
			g.held = g.held[i+1:]
			return true
		}
	}
	return false
}

// drop tells of a frame that the server did not take in.
func (s *Session) drop(r *lmc.Record) {
	if !r.IsAuth() && (r.Source.Root != nil || r.Binary) {
		s.tell(lmc.Event{Kind: lmc.SentBeforeAuth, Record: r, Sent: true})
	}
}

// openGate takes the frames in that wait.
func (s *Session) openGate() {
	held := s.gate.held
	s.gate.open, s.gate.held, s.gate.bytes = true, nil, 0
	for _, r := range held {
		if r.Source.Root == nil && !r.Binary {
			s.lose(r.Source)
			continue
		}
		s.sent(r)
	}
}

// auth follows a frame about the client's key.
func (s *Session) auth(r *lmc.Record) {
	value := r.Key("auth")
	s.answered(value.Kind == source.Bool && string(value.Raw()) == "true")
}
