package agreement

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/model/blocks"
)

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

// align returns the alignment of blocks and messages with the highest score, or for very
// many a good one. Among equals, a message is skipped before a block.
func align(list []*StreamedBlock, messages []StoredMessage) (steps []step) {
	worth := func(j, from, to int) int32 {
		points, _ := score(list[from:to], &messages[j])
		return points
	}
	a := &blocks.Aligner{
		Worth:  func(j, i int) int32 { return worth(j, i, i+1) },
		Joined: func(j, i int) int32 { return worth(j, i, i+2) },
	}
	var pairs []blocks.Pair
	if len(messages)*len(list) <= blocks.MaxExact*blocks.MaxExact {
		pairs = a.Exact(len(messages), len(list))
	} else {
		for j := range messages {
			a.A = append(a.A, hashOf(&messages[j].Block, -j))
		}
		for i, b := range list {
			a.B = append(a.B, hashOf(&b.Block, i+1))
		}
		pairs = a.Align()
	}
	i, j := 0, 0
	for _, p := range append(pairs, blocks.Pair{A: len(messages), B: len(list)}) {
		for ; j < p.A; j++ {
			steps = append(steps, step{message: &messages[j]})
		}
		for ; i < p.B; i++ {
			steps = append(steps, step{blocks: list[i : i+1]})
		}
		if j == len(messages) {
			break
		}
		s := step{blocks: list[i : i+1], message: &messages[j]}
		if p.Joined {
			s.blocks = list[i : i+2]
		}
		_, s.reason = score(s.blocks, s.message)
		steps = append(steps, s)
		i, j = i+len(s.blocks), j+1
	}
	return steps
}

// hashOf returns the key of a block for the aligner. One that is lossy is equal to no
// other, by a number of its own.
func hashOf(b *blocks.Block, number int) blocks.Hash {
	if b.Lossy {
		return blocks.HashOf([]byte(strconv.Itoa(number)))
	}
	return blocks.HashOf([]byte(b.Role+"\x00"+b.Type+"\x00"+b.Format+"\x00"), b.Text.Hash[:])
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
	separate := steps[:sure:sure]
	for _, s := range steps[sure:] {
		for i := range s.blocks {
			separate = append(separate, step{blocks: s.blocks[i : i+1]})
		}
	}
	return separate
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
