package agreement

import (
	"slices"
	"strconv"

	"github.com/lmclint/lmclint/internal/model/blocks"
)

// decide compares the blocks with the messages, when the stream has ended.
func (a *Comparison) decide() {
	messages := a.conversation.messages
	for first := a.begin(); a.next < first; { // earlier turns, or a part that is missing
		a.take(step{message: &messages[a.next]})
	}
	upcoming := messages[a.next:]
	steps := separateDoubtful(align(a.blocks, upcoming[:min(len(upcoming), 2*len(a.blocks)+ahead)]))
	for len(steps) > 0 && len(steps[len(steps)-1].blocks) == 0 { // these messages may be of other turns
		steps = steps[:len(steps)-1]
	}
	a.findMoved(steps)
	explainLossy(steps)
	for _, s := range steps {
		a.take(s)
	}
	// Complete turns after the last block belong to other streams, and so does what
	// follows output that the application stored.
	for a.next < len(messages) {
		m := &messages[a.next]
		if a.paired && (m.Turn > a.turn || a.appStoredOutput && m.Role == "assistant") {
			a.endRuns()
			a.report(&Difference{Reason: StreamedAfter, Message: m, After: a.last, More: len(messages) - a.next - 1})
			return
		}
		a.next++
		a.notStreamed(m)
	}
}

const (
	ahead         = 128 // messages that are compared with blocks, besides two for each block
	maxCandidates = 64  // messages with the same text that are tried
	nearMessages  = 2   // messages that are searched for the next block
)

// begin returns the index of the message with which the stream begins: it may begin with a
// later turn, or lack a part. It tries the messages that have the text of the first block,
// or else of the next one that has any; the last ones, if there are many. The best has
// most of the first blocks after it.
func (a *Comparison) begin() int {
	best, most := 0, a.countStored(0)
	for first, b := range a.blocks {
		places := a.conversation.byText[keyOf(&b.Block)]
		for _, at := range places[max(0, len(places)-maxCandidates):] {
			if from := at - first; from > 0 {
				if n := a.countStored(from); n > most {
					best, most = from, n
				}
			}
		}
		if len(places) > 0 {
			break
		}
	}
	return best
}

// countStored counts those of the first blocks that are stored in the messages from index
// from on, each near the one before it.
func (a *Comparison) countStored(from int) (n int) {
	messages := a.conversation.messages[from:]
	for _, b := range a.blocks[:min(len(a.blocks), maxCandidates)] {
		for j := range min(nearMessages, len(messages)) {
			m := &messages[j]
			if b.Role == m.Role && b.Type == m.Type && b.Text.Equal(&m.Text) && !m.Lossy {
				n++
				messages = messages[j+1:]
				break
			}
		}
	}
	return n
}

// take decides one step, and reports its difference.
func (a *Comparison) take(s step) {
	if s.message != nil {
		a.next++
	}
	switch {
	case s.done:
	case s.isPair():
		a.pair(s)
	case s.message != nil:
		a.notStreamed(s.message)
	case s.blocks[0].Lossy:
	case a.unstored != nil:
		a.unstored.More++
	default:
		a.unstored = &Difference{Reason: NotStored, Block: s.blocks[0]}
		switch messages := a.conversation.messages; {
		case a.next < len(messages):
			a.unstored.Near = &messages[a.next]
		case len(messages) > 0:
			a.unstored.Near, a.unstored.AfterNear = &messages[len(messages)-1], true
		}
	}
	for _, b := range s.blocks {
		a.last = b
	}
}

// pair decides a block with its message. The missing messages before the first pair
// may belong to earlier turns. Those of the same turn are missing, unless they end
// with output that the application may have stored itself before it continued.
func (a *Comparison) pair(s step) {
	if n := len(a.missing); n > 0 && !a.paired {
		earlier := slices.IndexFunc(a.missing, func(m *StoredMessage) bool { return m.Turn >= s.message.Turn })
		if earlier < 0 || a.missing[n-1].Role == "computer" && s.blocks[0].Role == "assistant" {
			earlier = n
		}
		if earlier > 0 {
			a.report(&Difference{Reason: StreamedBefore, Message: a.missing[0], More: earlier - 1})
		}
		a.missing = a.missing[earlier:]
	}
	a.endRuns()
	a.paired, a.turn, a.appStoredOutput = true, s.message.Turn, false
	isLossy := func(b *StreamedBlock) bool { return b.Lossy }
	if s.reason == agree || len(s.blocks) > 1 && slices.ContainsFunc(s.blocks, isLossy) {
		return // what damaged a block may have split it
	}
	d := &Difference{Reason: s.reason, Block: s.blocks[0], Message: s.message}
	if s.reason == AppendedToOther {
		d.Block = s.blocks[1]
	}
	a.report(d)
}

// notStreamed decides a message that was not streamed.
func (a *Comparison) notStreamed(m *StoredMessage) {
	d := &Difference{Reason: NotStreamed, Message: m, After: a.last}
	switch {
	case m.Type == "code" && slices.ContainsFunc(a.unstreamedCode, func(t blocks.Text) bool { return t.Equal(&m.Text) }):
		return
	case IsDisplayNote(&m.Block):
		d.Reason = StoredByDisplay
	case m.Role == "computer" && a.last != nil && a.last.notRun && a.last.asked:
		d.Reason = StoredByApplication
		a.appStoredOutput = true
	default:
		if len(a.missing) == 0 {
			a.missingAfter = a.last
		}
		a.missing = append(a.missing, m)
		return
	}
	a.endMissing()
	a.report(d)
}

// findMoved pairs the remaining blocks and messages that are equal: they are in
// another order.
func (a *Comparison) findMoved(steps []step) {
	stored := map[textKey][]*step{}
	for i := range steps {
		if s := &steps[i]; len(s.blocks) == 0 && !s.message.Lossy {
			key := keyOf(&s.message.Block)
			stored[key] = append(stored[key], s)
		}
	}
	for i := range steps {
		s := &steps[i]
		if s.message != nil || s.blocks[0].Lossy {
			continue
		}
		key := keyOf(&s.blocks[0].Block)
		if equal := stored[key]; len(equal) > 0 {
			s.done, equal[0].done, stored[key] = true, true, equal[1:]
			a.report(&Difference{Reason: Moved, Block: s.blocks[0], Message: equal[0].message})
		}
	}
}

// explainLossy removes the messages that may be those of lossy blocks: as many
// as there are such blocks between two pairs.
func explainLossy(steps []step) {
	for from := 0; from < len(steps); {
		to, loose := from, 0
		for ; to < len(steps) && !steps[to].isPair(); to++ {
			if s := &steps[to]; s.message == nil && s.blocks[0].Lossy {
				loose++
			}
		}
		for i := from; i < to && loose > 0; i++ {
			if s := &steps[i]; s.message != nil && !s.done {
				s.done = true
				loose--
			}
		}
		from = to + 1
	}
}

func (a *Comparison) endMissing() {
	if n := len(a.missing); n > 0 {
		a.report(&Difference{Reason: NotStreamed, Message: a.missing[0], After: a.missingAfter, More: n - 1})
		a.missing = nil
	}
}

func (a *Comparison) endRuns() {
	a.endMissing()
	if a.unstored != nil {
		a.report(a.unstored)
		a.unstored = nil
	}
}

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
