package protocol

import (
	"github.com/lmclint/lmclint/internal/lmc"
)

// excerpt is where the session stands on a page, which shows a stream in parts:
// a whole conversation, a single block, or a chunk of one. Each part is judged
// as far as it goes.
type pageFragment struct {
	parts int  // of the page that were met
	torn  bool // the part begins in the middle, and no block of a client or model has begun since that does not belong to another
}

// isTorn reports whether a record of a page is part of something that the page
// does not show. Only its shape is judged.
func (s *session) isTorn(r *lmc.Record) bool {
	tracker, ok := s.follower.(*lmc.Tracker)
	if !ok {
		return false
	}
	if r.Source.FollowsOtherText {
		s.excerpt.parts++
		s.excerpt.torn = !tracker.Continues(r)
		if s.excerpt.torn {
			s.follower = lmc.NewTracker(s.isNote, s.handleEvent)
		}
	}
	if r.Start && r.Role != "computer" && r.Type != "review" {
		s.excerpt.torn = false
	}
	return s.excerpt.torn
}

// isPartial reports whether the end of the input is the end of a part, which
// says nothing about what is missing.
func (s *session) isPartial() bool { return s.excerpt.parts > 1 }
