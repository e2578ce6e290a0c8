package agreement

import "github.com/lmclint/lmclint/internal/model/blocks"

// step is a part of an alignment: a block with its message, two blocks with one
// message that contains both, or a block or a message alone.
type step struct {
	blocks  []*StreamedBlock
	message *StoredMessage // or nil
	reason  Reason
	done    bool // decided otherwise: moved, or explained by a lossy block
}

func (s *step) isPair() bool { return len(s.blocks) > 0 && s.message != nil }

// Scores of pairs, such that the best alignment explains the most.
const (
	worthEqual     = 100
	worthExplained = 90
	worthLoose     = 60
	worthOther     = 50 // same text, another format
	worthEdited    = 40
	worthDiffers   = 30
)

// score returns what it is worth that a message is that of a block, or contains the
// texts of two, 0 if they do not belong together.
func score(list []*StreamedBlock, m *StoredMessage) (points int32, reason Reason) {
	b := list[0]
	if len(list) > 1 {
		switch second := list[1]; {
		case b.Role != m.Role || b.Type != m.Type || b.Format != m.Format || second.Type != "console" || !HoldsJoined(&b.Block, &second.Block, &m.Block):
			return 0, agree
		case b.Type == "console":
			return 2*worthExplained + 1, JoinedOutput
		}
		return worthEqual + worthDiffers, AppendedToOther
	}
	reason, ok := compare(&b.Block, &m.Block)
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
func align(pending []*StreamedBlock, messages []StoredMessage) (steps []step) {
	worth := func(j, from, to int) int32 {
		points, _ := score(pending[from:to], &messages[j])
		return points
	}
	a := &blocks.Aligner{
		Worth:  func(j, i int) int32 { return worth(j, i, i+1) },
		Joined: func(j, i int) int32 { return worth(j, i, i+2) },
	}
	i, j := 0, 0
	for _, p := range append(a.Exact(len(messages), len(pending)), blocks.Pair{A: len(messages), B: len(pending)}) {
		for ; j < p.A; j++ {
			steps = append(steps, step{message: &messages[j]})
		}
		for ; i < p.B; i++ {
			steps = append(steps, step{blocks: pending[i : i+1]})
		}
		if j == len(messages) {
			break
		}
		s := step{blocks: pending[i : i+1], message: &messages[j]}
		if p.Joined {
			s.blocks = pending[i : i+2]
		}
		_, s.reason = score(s.blocks, s.message)
		steps = append(steps, s)
		i, j = i+len(s.blocks), j+1
	}
	return steps
}

// firstHalf returns the steps that more blocks can hardly change: up to the last
// pair of the older half of the blocks, but not beyond the last sure pair.
// Without such a pair, the blocks of that half have no messages.
func firstHalf(steps []step) []step {
	end, older, place := 0, 0, 0
	for i, s := range steps {
		if len(s.blocks) > 0 && place < window/2 {
			older = i + 1
			if s.message != nil {
				end = i + 1
			}
		}
		place += len(s.blocks)
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
		if s.isPair() {
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
		if s.isPair() && (s.reason == agree && !s.blocks[0].Lossy || s.reason.Explained() && s.reason != Edited) {
			return i
		}
	}
	return 0
}

// alone returns the blocks of steps without their messages.
func alone(steps []step) (all []step) {
	for _, s := range steps {
		for i := range s.blocks {
			all = append(all, step{blocks: s.blocks[i : i+1]})
		}
	}
	return all
}
