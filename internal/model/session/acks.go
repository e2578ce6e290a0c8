package session

import (
	"slices"

	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// ackTracker follows acknowledge mode, in which each frame of the server has an
// id that the client sends back.
type ackTracker struct {
	deliveries lmc.Deliveries
	pending    int // frames that were not acknowledged

	first      *source.PlaceRef // the first frame with an id
	used       bool             // the client acknowledges
	patience   int              // how often an acknowledged frame was repeated, at most
	lostFrames int              // unreadable frames, which may have had an id
	lostAcks   int              // unreadable frames that may have been acknowledgements
	others     []lmc.TextDigest // of the last frame, if it has no id
	latest     *lmc.Delivery    // what came last
	early      lmc.TextDigest   // the last acknowledged id that had not come
}

// Redelivered reports whether a frame was delivered before, with the same id.
// Such a frame counts once: it is not to be passed to Step.
func (s *Session) Redelivered(r *lmc.Record) bool {
	if r.Source.Direction == source.Sent || r.Source.Direction == source.Undirected && r.Role == "user" || r.IsAck() {
		return false
	}
	d := s.acks.deliveries.Again(r)
	if d == nil {
		return false
	}
	s.acks.others, s.acks.latest = s.acks.others[:0], d
	if d.Repeats == 1 {
		emit(s, lmc.Redelivered, r)
	}
	return true
}

// deliver follows the id of a server frame. All frames that complete a response
// share one id.
func (s *Session) deliver(r *lmc.Record) {
	if r.Binary {
		return
	}
	g := &s.acks
	g.others = g.others[:0]
	d, isNew, dropped := g.deliveries.Keep(r)
	if d == nil {
		if isUnclear(r) {
			g.lostFrames++
		}
		// One of the strings under uncommon keys may be the id, with a misspelled key.
		for i := range r.Source.Root.Children {
			switch n := &r.Source.Root.Children[i]; n.Name {
			case "role", "type", "format", "content", "recipient":
			default:
				if n.Kind == source.String && len(g.others) < 4 {
					g.others = append(g.others, lmc.DigestText(n.Text()))
				}
			}
		}
		return
	}
	before := g.latest
	g.latest = d
	switch {
	case isNew:
		if g.first == nil {
			g.first = new(source.PlaceRef)
			g.first.Set(r.Source, nil)
		}
		if lmc.DigestText(r.ID.Text()) != g.early {
			g.await(d, r)
		}
		s.overdue(dropped)
	case r.SharesID():
		if before != d {
			s.overdue(d)
		}
		g.await(d, r)
	}
}

func (g *ackTracker) await(d *lmc.Delivery, r *lmc.Record) {
	if d.Pending == nil {
		d.Pending = new(source.PlaceRef)
		g.pending++
	}
	d.Pending.Set(r.Source, nil)
}

// overdue reports a frame that was not acknowledged, if the client acknowledges
// frames. No frame is nil.
func (s *Session) overdue(d *lmc.Delivery) {
	g := &s.acks
	switch {
	case d == nil || d.Pending == nil || !g.used:
	case g.lostAcks > 0:
		g.lostAcks--
	default:
		emit(s, Unacknowledged, d.Pending)
	}
}

// acknowledge follows an acknowledgement. If its id never came, the id is wrong,
// or a frame is missing from the input.
func (s *Session) acknowledge(r *lmc.Record) {
	g := &s.acks
	g.used = true
	id := r.Key("ack")
	if id.Kind != source.String {
		g.lostAcks++
		return
	}
	if d := g.deliveries.Find(id.Text()); d != nil {
		g.patience = max(g.patience, d.Repeats)
		g.settle(d)
		return
	}
	if g.lostFrames > 0 {
		g.lostFrames--
		return
	}
	if slices.Contains(g.others, lmc.DigestText(id.Text())) {
		return // the key of the id is misspelled, or the input does not contain the frames of the server
	}
	emit(s, UnknownAck, r)
	for i := g.deliveries.Len() - 1; i >= 0 && g.pending > 0; i-- { // the last pending frame is meant
		if g.settle(g.deliveries.At(i)) {
			return
		}
	}
	g.early = lmc.DigestText(id.Text())
	s.response.lossy = true
	s.server.MarkUncertain()
}

// settle marks a frame as acknowledged, and reports whether it was pending.
func (g *ackTracker) settle(d *lmc.Delivery) bool {
	if d.Pending == nil {
		return false
	}
	d.Pending = nil
	g.pending--
	return true
}

// finishAcks reports the frames that were never acknowledged. The last frame of
// a truncated session may have been, unless the server repeated it in vain.
func (s *Session) finishAcks(cutOff bool) {
	g := &s.acks
	n := g.deliveries.Len()
	if g.pending == 0 {
		return
	}
	if !g.used {
		for i := range n {
			if g.deliveries.At(i).Repeats > 0 { // else the ids are for something else
				emit(s, NothingAcknowledged, g.first)
				return
			}
		}
		return
	}
	for i := range n {
		d := g.deliveries.At(i)
		if cutOff && i == n-1 && d.Repeats <= g.patience+1 {
			return
		}
		s.overdue(d)
	}
}
