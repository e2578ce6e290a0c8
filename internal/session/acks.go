package session

import (
	"slices"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// maxIDs is how many ids of a session are kept.
const maxIDs = 4096

// ackTracker follows acknowledge mode, in which each frame of the server has an
// id that the client sends back.
type ackTracker struct {
	known   map[lmc.TextDigest]*delivery // by id
	order   []lmc.TextDigest             // a ring, once it is full
	next    int                          // the oldest in the ring
	pending int                          // frames that were not acknowledged

	first      *source.PlaceRef // the first frame with an id
	used       bool             // the client acknowledges
	lostFrames int              // unreadable frames, which may have had an id
	lostAcks   int              // unreadable frames that may have been acknowledgements
	others     []lmc.TextDigest // of the last frame, if it has no id
	latest     lmc.TextDigest   // the id that came last
	early      lmc.TextDigest   // the last acknowledged id that had not come
}

// delivery is a frame with an id.
type delivery struct {
	at       *source.PlaceRef // nil once it is acknowledged
	repeated bool             // a repetition was reported
}

// deliver follows the id of a server frame, and reports whether the frame was
// delivered before. All frames that complete a response share one id.
func (s *Session) deliver(r *lmc.Record) (repeated bool) {
	if r.Binary {
		return false
	}
	id := r.Key("id")
	s.acks.others = s.acks.others[:0]
	if id == nil || id.Kind != source.String {
		s.acks.noteOthers(r)
		return false
	}
	key, before := lmc.DigestText(id.Text()), s.acks.latest
	s.acks.latest = key
	d := s.acks.known[key]
	switch {
	case d == nil:
		s.acks.remember(s, key, r)
		return false
	case isComplete(r):
		if before != key {
			s.overdue(d)
		}
		s.acks.await(d, r)
		return false
	case !d.repeated:
		d.repeated = true
		s.emitEvent(lmc.Event{Kind: lmc.Redelivered, Record: r})
	}
	return true
}

// noteOthers keeps the strings under uncommon keys of a frame without an id: one
// of the keys may be a misspelled id.
func (g *ackTracker) noteOthers(r *lmc.Record) {
	for i := range r.Source.Root.Children {
		n := &r.Source.Root.Children[i]
		switch n.Name {
		case "role", "type", "format", "content", "recipient":
			continue
		}
		if n.Kind == source.String && len(g.others) < 4 {
			g.others = append(g.others, lmc.DigestText(n.Text()))
		}
	}
}

func (g *ackTracker) await(d *delivery, r *lmc.Record) {
	if d.at == nil {
		d.at = new(source.PlaceRef)
		g.pending++
	}
	d.at.Set(r.Source, nil)
}

// remember keeps a new id instead of the oldest one.
func (g *ackTracker) remember(s *Session, key lmc.TextDigest, r *lmc.Record) {
	if g.known == nil {
		g.known = map[lmc.TextDigest]*delivery{}
		g.first = new(source.PlaceRef)
		g.first.Set(r.Source, nil)
	}
	d := &delivery{}
	if key != g.early {
		g.await(d, r)
	}
	g.known[key] = d
	if len(g.order) < maxIDs {
		g.order = append(g.order, key)
		return
	}
	oldest := g.order[g.next]
	g.order[g.next] = key
	g.next = (g.next + 1) % maxIDs
	s.overdue(g.known[oldest])
	delete(g.known, oldest)
}

// overdue reports a frame that was not acknowledged, if the client acknowledges
// frames.
func (s *Session) overdue(d *delivery) {
	g := &s.acks
	switch {
	case d.at == nil || !g.used:
	case g.lostAcks > 0:
		g.lostAcks--
	default:
		s.emitEvent(lmc.Event{Kind: lmc.Unacknowledged, Last: d.at})
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
	if d := g.known[lmc.DigestText(id.Text())]; d != nil {
		if d.at != nil {
			d.at = nil
			g.pending--
		}
		return
	}
	if g.lostFrames > 0 {
		g.lostFrames--
		return
	}
	if slices.Contains(g.others, lmc.DigestText(id.Text())) {
		return // the key of the id is misspelled
	}
	s.emitEvent(lmc.Event{Kind: lmc.UnknownAck, Record: r, Sent: true})
	if !g.forgive() {
		g.early = lmc.DigestText(id.Text())
		s.response.lossy = true
		s.server.MarkUncertain()
	}
}

// forgive marks the last pending frame as acknowledged.
func (g *ackTracker) forgive() bool {
	if g.pending == 0 {
		return false
	}
	for i := range g.order {
		d := g.known[g.order[(g.next+len(g.order)-1-i)%len(g.order)]]
		if d.at != nil {
			d.at = nil
			g.pending--
			return true
		}
	}
	return false
}

// finishAcks reports the frames that were never acknowledged. The last frame of
// a truncated session may have been.
func (s *Session) finishAcks(cutOff bool) {
	g := &s.acks
	if g.pending == 0 || cutOff && len(g.order) == 1 {
		return
	}
	if !g.used {
		s.emitEvent(lmc.Event{Kind: lmc.NothingAcknowledged, Last: g.first})
		return
	}
	for i := range g.order {
		d := g.known[g.order[(g.next+i)%len(g.order)]]
		if cutOff && i == len(g.order)-1 {
			return
		}
		s.overdue(d)
	}
}
