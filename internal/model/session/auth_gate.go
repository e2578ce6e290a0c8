package session

import (
	"slices"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Limits on the frames that are held until the server sends its first frame.
// Beyond them the server is assumed to need no authentication.
const (
	maxHeld      = 256
	maxHeldBytes = 1 << 20
)

// authGate holds the client's frames until it is known whether the server
// accepted them: the server drops each frame before the right key and answers
// {"auth": false}, in the order of the frames.
type authGate struct {
	open   bool          // frames are accepted
	closed bool          // the server requires a key
	passed bool          // the server accepted a key
	held   []*lmc.Record // a record without Root could not be read
	bytes  int
}

// followClient follows a frame of the client.
func (s *Session) followClient(r *lmc.Record) {
	if !s.gate.open && !s.queuesEarly() {
		s.hold(r.Clone())
		if !s.options.Live {
			return
		}
	}
	s.acceptClient(r)
}

// hold keeps a frame until the gate opens. Too many frames open it.
func (s *Session) hold(r *lmc.Record) {
	s.gate.held = append(s.gate.held, r)
	s.gate.bytes += len(r.Source.Data)
	if len(s.gate.held) > maxHeld || s.gate.bytes > maxHeldBytes {
		s.openGate()
	}
}

// loseClient follows a frame of the client that could not be read.
func (s *Session) loseClient(src *source.Record) {
	if !s.gate.open && !s.queuesEarly() {
		s.hold(&lmc.Record{Source: src.Clone()})
		if !s.options.Live {
			return
		}
	}
	s.client.SkipUnreadable(src)
	s.completes.owed++         // it may have ended a message
	s.response.approved = true // it may have been the command go
	if s.command.open {
		s.command.meant = commandAny // it may have been the command
	}
	s.lastPart = lastPart{} // it may have stood between two parts
}

// auth follows the server's frame about the client's key.
func (s *Session) auth(r *lmc.Record) {
	g, value := &s.gate, r.Key("auth")
	switch {
	case value.Kind == source.Bool && string(value.Raw()) == "true":
		s.dropBeforeKey()
		s.openGate()
		g.passed = true
	case g.passed, s.queuesEarly():
	default:
		g.open, g.closed = false, true
		if len(g.held) > 0 {
			s.drop(g.held[0])
			g.held = g.held[1:]
		}
	}
}

// leaveGate decides about the held frames at the end of the input.
func (s *Session) leaveGate() {
	if s.gate.closed && !s.dropBeforeKey() {
		for _, r := range s.gate.held {
			s.drop(r)
		}
		s.gate.held = nil
	}
	s.openGate()
}

// dropBeforeKey drops the held frames up to the first key, and reports whether
// there is one.
func (s *Session) dropBeforeKey() bool {
	g := &s.gate
	i := slices.IndexFunc(g.held, (*lmc.Record).IsAuth)
	if i < 0 {
		return false
	}
	for _, early := range g.held[:i] {
		s.drop(early)
	}
	g.held = g.held[i+1:]
	return true
}

// drop reports a frame that the server dropped.
func (s *Session) drop(r *lmc.Record) {
	if !r.IsAuth() && (r.Source.Root != nil || r.Binary) {
		s.emitEvent(lmc.Event{Kind: lmc.SentBeforeAuth, Record: r, Sent: true})
	}
}

// openGate follows the held frames.
func (s *Session) openGate() {
	held := s.gate.held
	s.gate.open, s.gate.held, s.gate.bytes = true, nil, 0
	if s.options.Live { // they were followed when they came
		return
	}
	for _, r := range held {
		if r.Source.Root == nil && !r.Binary {
			s.loseClient(r.Source)
			continue
		}
		s.acceptClient(r)
	}
}

func (s *Session) queuesEarly() bool { return s.options.QueuesEarly != nil && s.options.QueuesEarly() }
