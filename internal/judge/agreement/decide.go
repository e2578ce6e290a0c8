package agreement

import (
	"slices"

	"github.com/lmclint/lmclint/internal/model/blocks"
)

// take decides one step, and reports its difference.
func (a *Comparison) take(s step) {
	if s.message != nil {
		a.next++
	}
	a.pending = a.pending[len(s.blocks):]
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
	for i := range steps {
		b := &steps[i]
		if b.message != nil || b.blocks[0].Lossy {
			continue
		}
		for j := range steps {
			m := &steps[j]
			if len(m.blocks) > 0 || m.done {
				continue
			}
			if reason, ok := compare(&b.blocks[0].Block, &m.message.Block); ok && reason == agree {
				b.done, m.done = true, true
				a.report(&Difference{Reason: Moved, Block: b.blocks[0], Message: m.message})
				break
			}
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
