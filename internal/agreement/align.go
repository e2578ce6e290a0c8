package agreement

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
func pairScore(b *StreamedBlock, m *StoredMessage) (points int, reason Reason) {
	reason, ok := compare(b, m)
	switch {
	case !ok:
		return 0, agree
	case reason == agree && (b.lossy || m.incomparable) && !b.Text.Equal(&m.Text):
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

// align returns the alignment of blocks and messages with the highest score.
func align(blocks []*StreamedBlock, messages []StoredMessage) []step {
	t := newTable(blocks, messages)
	var steps []step
	i, j := 0, 0
	for i < len(blocks) || j < len(messages) {
		s := t.best(i, j)
		steps = append(steps, s)
		if s.block != nil {
			i++
		}
		if s.second != nil {
			i++
		}
		if s.message != nil {
			j++
		}
	}
	return steps
}

// table contains the highest score of an alignment of blocks[i:] and messages[j:].
type table struct {
	blocks   []*StreamedBlock
	messages []StoredMessage
	rest     [][]int
}

func newTable(blocks []*StreamedBlock, messages []StoredMessage) *table {
	t := &table{blocks: blocks, messages: messages, rest: make([][]int, len(blocks)+2)}
	for i := range t.rest {
		t.rest[i] = make([]int, len(messages)+1)
	}
	for i := len(blocks) - 1; i >= 0; i-- {
		for j := len(messages) - 1; j >= 0; j-- {
			t.rest[i][j] = max(t.rest[i+1][j], t.rest[i][j+1])
			if points, _ := pairScore(blocks[i], &messages[j]); points > 0 {
				t.rest[i][j] = max(t.rest[i][j], points+t.rest[i+1][j+1])
			}
			if points, _ := t.joined(i, j); points > 0 {
				t.rest[i][j] = max(t.rest[i][j], points+t.rest[i+2][j+1])
			}
		}
	}
	return t
}

// joined returns the score of two blocks in one message.
func (t *table) joined(i, j int) (points int, reason Reason) {
	if i+1 >= len(t.blocks) {
		return 0, agree
	}
	a, b, m := t.blocks[i], t.blocks[i+1], &t.messages[j]
	if a.Role != m.Role || a.Type != m.Type || a.Format != m.Format || b.Type != "console" || !m.holdsJoined(a, b) {
		return 0, agree
	}
	if a.Type == "console" {
		return 2*worthExplained + 1, JoinedOutput
	}
	return worthEqual + worthDiffers, AppendedToOther
}

// best returns the first step of the best alignment of blocks[i:] and
// messages[j:]. Among equals, a message is skipped before a block.
func (t *table) best(i, j int) step {
	switch {
	case j == len(t.messages):
		return step{block: t.blocks[i], place: i}
	case i == len(t.blocks):
		return step{message: &t.messages[j]}
	}
	b, m, here := t.blocks[i], &t.messages[j], t.rest[i][j]
	if points, reason := pairScore(b, m); points > 0 && here == points+t.rest[i+1][j+1] {
		return step{block: b, message: m, reason: reason, place: i}
	}
	if points, reason := t.joined(i, j); points > 0 && here == points+t.rest[i+2][j+1] {
		return step{block: b, second: t.blocks[i+1], message: m, reason: reason, place: i}
	}
	if here == t.rest[i][j+1] {
		return step{message: m}
	}
	return step{block: b, place: i}
}

// upToLastBlock removes the messages after the last block.
func upToLastBlock(steps []step) []step {
	for len(steps) > 0 && steps[len(steps)-1].block == nil {
		steps = steps[:len(steps)-1]
	}
	return steps
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

// surePart returns the number of steps up to the last sure pair.
func surePart(steps []step) int {
	for i := len(steps); i > 0; i-- {
		if steps[i-1].isSure() {
			return i
		}
	}
	return 0
}

// alone returns the blocks of steps without their messages.
func alone(steps []step) (blocks []step) {
	for _, s := range steps {
		for _, b := range []*StreamedBlock{s.block, s.second} {
			if b != nil {
				blocks = append(blocks, step{block: b})
			}
		}
	}
	return blocks
}

// isSure reports whether the message certainly is that of the block.
func (s *step) isSure() bool {
	return s.block != nil && s.message != nil && (s.reason == agree && !s.block.lossy || s.reason.Explained() && s.reason != Edited)
}
