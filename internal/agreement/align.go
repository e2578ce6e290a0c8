package agreement

// step is a part of an alignment: a block with its message, two blocks with
// the message that holds both, or one of them without the other.
type step struct {
	block, second *StreamedBlock
	message       *StoredMessage
	reason        Reason
	done          bool // the other half stands elsewhere, or is excused
	place         int  // of the block among those that wait
}

// How much a pair is worth, so that the best alignment explains the most.
const (
	worthEqual     = 100
	worthExplained = 90
	worthLoose     = 60
	worthOther     = 50 // the text is the same, the format is not
	worthEdited    = 40
	worthDiffers   = 30
)

// worth is what a pair is worth, 0 for two that make none.
func pairScore(b *StreamedBlock, m *StoredMessage) (points int, reason Reason) {
	reason, ok := compare(b, m)
	switch {
	case !ok:
		return 0, agree
	case reason == agree && (b.loose || m.odd) && !b.Text.Equal(&m.Text):
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

// align finds the alignment of blocks and messages that is worth the most.
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

// table holds what the rest of an alignment is worth, from each pair of places.
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

// joined is what two blocks in one message are worth.
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

// best is the step that the best alignment takes from there. Of equals, a
// message is left out before a block.
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

// upToLastBlock leaves out the messages behind the last block.
func upToLastBlock(steps []step) []step {
	for len(steps) > 0 && steps[len(steps)-1].block == nil {
		steps = steps[:len(steps)-1]
	}
	return steps
}

// firstHalf are the steps that more blocks cannot change much: up to the last
// pair of the older half of the blocks, but none behind the last pair that is
// sure. Without such a pair, the blocks of that half have no messages.
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

// fewDoubtful is how many blocks in a row may have messages that say something
// else, at the end of a stream.
const fewDoubtful = 3

// part takes blocks and messages apart behind the last pair that is sure, if
// there are many: they have nothing to do with each other.
func part(steps []step) []step {
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

// surePart is the number of steps up to the last pair that is sure.
func surePart(steps []step) int {
	for i := len(steps); i > 0; i-- {
		if steps[i-1].isSure() {
			return i
		}
	}
	return 0
}

// alone are the blocks of steps without their messages.
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

// isSure reports whether a block is with its own message.
func (s *step) isSure() bool {
	return s.block != nil && s.message != nil && (s.reason == agree && !s.block.loose || s.reason.Explained() && s.reason != Edited)
}
