package convert

import (
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
)

// eventSieve omits the data of server-sent events that are not of LMC, such as that
// of "event: done". The first record of the input shows its protocol; the sieve keeps
// the events before that record until then.
type eventSieve struct {
	held   []*source.Record
	known  bool // a record of a protocol was seen
	isLMC  bool // it was of LMC
	others protocol.OtherEvents
}

// maxHeldEvents is how many events are held. An input with as many events that
// are not records has another protocol, and keeps them all.
const maxHeldEvents = 1000

// add passes a record to pass, after those before it, unless the sieve omits it.
func (s *eventSieve) add(r *source.Record, pass func(*source.Record) error) error {
	if s.known {
		return s.pass(r, pass)
	}
	switch {
	case protocol.LMC{}.MeaningOf(r.Root) >= source.Weak:
		s.known, s.isLMC = true, true
	case r.Event == "", protocol.Workbench{}.MeaningOf(r.Root) == source.Whole, len(s.held) == maxHeldEvents:
		s.known = true
	default:
		s.held = append(s.held, r.Clone())
		return nil
	}
	if err := s.finish(pass); err != nil {
		return err
	}
	return s.pass(r, pass)
}

// finish passes on what is held.
func (s *eventSieve) finish(pass func(*source.Record) error) error {
	held := s.held
	s.held = nil
	for _, r := range held {
		if err := s.pass(r, pass); err != nil {
			return err
		}
	}
	return nil
}

func (s *eventSieve) pass(r *source.Record, pass func(*source.Record) error) error {
	if s.isLMC && s.others.Skips(r) {
		return nil
	}
	return pass(r)
}
