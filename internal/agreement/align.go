package agreement

import "github.com/lmclint/lmclint/internal/blocks"

// step is a part of an alignment: a block with its message, two blocks with one
// message that contains both, or a block or a message alone.
type step struct {
	block, second *StreamedBlock
	message       *StoredMessage
	reason        Reason
	done          bool // decided otherwise: moved, or explained by a lossy block
	place         int  // index of the block among the pending ones
}

// Scores of pairs, such that the best alignment explains the most.
const (
	worthEqual     = 100
	worthExplained = 90
	worthLoose     = 60
	worthOther     = 50 // same text, another format
	worthEdited    = 40
	worthDiffers   = 30
)

// pairScore returns the score of a pair, 0 if the two are not a pair.
func pairScore(b, m *blocks.Block) (points int32, reason Reason) {
	reason, ok := compare(b, m)
	switch {
	case !ok:
		return 0, agree
	case reason == agree && (b.Lossy || m.Lossy) && !b.Text.Equal(&m.Text):
		return worthLoose, reason
	case reason == agree:
		return worthEqual, reason
	case reason == Edited:
		return worthEdited, reason
	case reason.Explained():
		return worthExplained, reason
	case reason == OtherFormat:
		return worthOther, reason
	}
	return worthDiffers, reason
}

// align returns the alignment of blocks and messages with the highest score. Among
// equals, a message is skipped before a block.
func align(pending []*StreamedBlock, messages []StoredMessage) []step {
	a := &blocks.Aligner[int]{
		Worth: func(j, i int) int32 {
			points, _ := pairScore(&pending[i].Block, &messages[j].Block)
			return points
		},
		Joined: func(j, i int) int32 {
			points, _ := joinedScore(&pending[i].Block, &pending[i+1].Block, &messages[j].Block)
			return points
		},
	}
	var steps []step
	i, j := 0, 0
	for _, p := range append(a.Exact(len(messages), len(pending)), blocks.Pair{A: len(messages), B: len(pending)}) {
		for ; j < p.A; j++ {
			steps = append(steps, step{message: &messages[j]})
		}
		for ; i < p.B; i++ {
			steps = append(steps, step{block: pending[i], place: i})
		}
		if j == len(messages) {
			break
		}
		s := step{block: pending[i], message: &messages[j], place: i}
		if p.Joined {
			s.second = pending[i+1]
			_, s.reason = joinedScore(&s.block.Block, &s.second.Block, &s.message.Block)
			i++
		} else {
			_, s.reason = pairScore(&s.block.Block, &s.message.Block)
		}
		steps = append(steps, s)
		i, j = i+1, j+1
	}
	return steps
}

// joinedScore returns the score of two blocks in one message.
func joinedScore(a, b, m *blocks.Block) (points int32, reason Reason) {
	switch {
	case a.Role != m.Role || a.Type != m.Type || a.Format != m.Format || b.Type != "console" || !HoldsJoined(a, b, m):
		return 0, agree
	case a.Type == "console":
		return 2*worthExplained + 1, JoinedOutput
	}
	return worthEqual + worthDiffers, AppendedToOther
}

// firstHalf returns the steps that more blocks can hardly change: up to the last
// pair of the older half of the blocks, but not beyond the last sure pair.
// Without such a pair, the blocks of that half have no messages.
func firstHalf(steps []step) []step {
	end, older := 0, 0
	for i, s := range steps {
		if s.block != nil && s.place < window/2 {
			older = i + 1
			if s.message != nil {
				end = i + 1
			}
		}
	}
	sure := surePart(steps)
	if sure == 0 || end == 0 {
		return alone(steps[:older])
	}
	return steps[:min(end, sure)]
}

// fewDoubtful is how many consecutive blocks at the end of a stream may have
// messages with another text.
const fewDoubtful = 3

// separateDoubtful splits the doubtful pairs after the last sure one into blocks
// alone, if there are many: they are unrelated.
func separateDoubtful(steps []step) []step {
	sure, doubtful := surePart(steps), 0
	for _, s := range steps[sure:] {
		if s.block != nil && s.message != nil {
			doubtful++
		}
	}
	if doubtful <= fewDoubtful {
		return steps
	}
	return append(steps[:sure:sure], alone(steps[sure:])...)
}

// surePart returns the number of steps up to the last pair of a block and a message
// that certainly is its own.
func surePart(steps []step) int {
	for i := len(steps); i > 0; i-- {
		s := &steps[i-1]
		if s.block != nil && s.message != nil && (s.reason == agree && !s.block.Lossy || s.reason.Explained() && s.reason != Edited) {
			return i
		}
	}
	return 0
}

// alone returns the blocks of steps without their messages.
func alone(steps []step) (all []step) {
	for _, s := range steps {
		for _, b := range []*StreamedBlock{s.block, s.second} {
			if b != nil {
				all = append(all, step{block: b})
			}
		}
	}
	return all
}
