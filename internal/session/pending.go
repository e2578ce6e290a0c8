package session

import (
	"cmp"
	"math"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// Pending emits, marked as pending, each event that may still come and be about
// a frame before the next one, see [lmc.Tracker.Pending]. It returns the offset
// of the first frame that was not followed yet, or math.MaxInt64.
func (s *Session) Pending() (undecided int64) {
	if s.options.Live {
		return s.pendingLive()
	}
	s.client.Pending()
	s.server.Pending()
	s.pendingResponse()
	if s.command.open {
		s.emitPending(lmc.Event{Kind: lmc.UnknownCommand, Last: &s.command.at, Text: string(s.command.text), Sent: true})
	}
	if at := s.acks.firstPending(); at != nil {
		s.emitPending(lmc.Event{Kind: lmc.Unacknowledged, Last: at})
	}
	undecided = math.MaxInt64
	if s.pendingStart != nil {
		undecided = s.pendingStart.Source.Start.Offset
	}
	if len(s.gate.held) > 0 {
		undecided = min(undecided, s.gate.held[0].Source.Start.Offset)
	}
	return undecided
}

// pendingLive is Pending for a connection whose peers get no frame that may
// still have an event. A frame that was held back for what the other side does
// next would never be answered. So events that only the other side can prevent
// are left out: a missing answer, acknowledgement or approval. A server that
// waits for the acknowledgement of each frame has no pending events at all. Nor
// does a frame wait until its block goes on or ends: each chunk would wait for
// the next one, and the last one before the server fails would never arrive.
func (s *Session) pendingLive() (undecided int64) {
	s.client.Pending()
	if s.acks.pending == 0 && !s.acks.used {
		s.server.Pending()
	}
	if s.pendingStart != nil {
		return s.pendingStart.Source.Start.Offset
	}
	return math.MaxInt64
}

// pendingResponse emits what may be missing from the current response.
func (s *Session) pendingResponse() {
	p := &s.response
	if !s.options.Completes {
		return
	}
	if p.failed != nil {
		s.emitPending(lmc.Event{Kind: lmc.ErrorWithoutComplete, Last: p.failed})
	}
	if p.running {
		s.emitPending(lmc.Event{Kind: lmc.Incomplete, Last: &p.last})
	}
	if p.awaited {
		s.emitPending(lmc.Event{Kind: lmc.Unanswered, Last: &p.ended})
	}
}

// firstPending returns the first frame that was not acknowledged, or nil.
func (g *ackTracker) firstPending() (first *source.PlaceRef) {
	if g.pending == 0 {
		return nil
	}
	if !g.used {
		return g.first
	}
	left := g.pending
	for i := g.deliveries.Len() - 1; i >= 0 && left > 0; i-- {
		if d := g.deliveries.At(i); d.Pending != nil {
			first = d.Pending
			left--
		}
	}
	return first
}

// forwardPending forwards a pending event of the server's tracker, with those that it
// would cause.
func (s *Session) forwardPending(e *lmc.Event) {
	if s.options.Live && (e.Kind == lmc.UnexecutedCode || e.Kind == lmc.Truncated) {
		return
	}
	if e.Kind == lmc.Execution && s.needsApproval(e) {
		s.emitPending(lmc.Event{Kind: lmc.Unapproved, Block: e.Block, Code: e.Code})
	}
	if e.Kind == lmc.Truncated {
		s.emitPending(lmc.Event{Kind: lmc.Interrupted, Last: e.Last, Block: e.Block, Cause: cmp.Or(s.response.cause, &lmc.Cause{})})
	}
	s.emit(e)
}

func (s *Session) emitPending(e lmc.Event) {
	e.Pending = true
	s.emitEvent(e)
}
