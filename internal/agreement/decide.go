package agreement

import (
	"slices"

	"github.com/lmclint/lmclint/internal/blocks"
)

// take decides one step, and reports its difference.
func (a *Comparison) take(s step) {
	if s.message != nil {
		a.next++
	}
	for _, b := range []*StreamedBlock{s.block, s.second} {
		if b != nil {
			a.pending = a.pending[1:]
		}
	}
	switch {
	case s.done:
	case s.block != nil && s.message != nil:
		a.pair(s)
	case s.message != nil:
		a.notStreamed(s.message)
	case s.block.Lossy:
	case a.unstored != nil:
		a.unstored.More++
	default:
		a.unstored = &Difference{Reason: NotStored, Block: s.block}
		switch messages := a.conversation.messages; {
		case a.next < len(messages):
			a.unstored.Near = &messages[a.next]
		case len(messages) > 0:
			a.unstored.Near, a.unstored.AfterNear = &messages[len(messages)-1], true
		}
	}
	for _, b := range []*StreamedBlock{s.block, s.second} {
		if b != nil {
			a.last = b
		}
	}
}

// pair decides a block with its message. The missing messages before the first pair
// may belong to earlier turns. Those of the same turn are missing, unless they end
// with output that the application may have stored itself before it continued.
func (a *Comparison) pair(s step) {
	if n := len(a.missing); n > 0 && !a.paired {
		earlier := slices.IndexFunc(a.missing, func(m *StoredMessage) bool { return m.Turn >= s.message.Turn })
		if earlier < 0 || a.missing[n-1].Role == "computer" && s.block.Role == "assistant" {
			earlier = n
		}
		if earlier > 0 {
			a.report(&Difference{Reason: StreamedBefore, Message: a.missing[0], More: earlier - 1})
		}
		a.missing = a.missing[earlier:]
	}
	a.endRuns()
	a.paired, a.turn, a.appStoredOutput = true, s.message.Turn, false
	if s.reason == agree || s.second != nil && (s.block.Lossy || s.second.Lossy) {
		return // what damaged a block may have split it
	}
	d := &Difference{Reason: s.reason, Block: s.block, Message: s.message}
	if s.reason == AppendedToOther {
		d.Block = s.second
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
		if b.block == nil || b.message != nil || b.block.Lossy {
			continue
		}
		for j := range steps {
			m := &steps[j]
			if m.block != nil || m.done {
				continue
			}
			if reason, ok := compare(&b.block.Block, &m.message.Block); ok && reason == agree {
				b.done, m.done = true, true
				a.report(&Difference{Reason: Moved, Block: b.block, Message: m.message})
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
		for ; to < len(steps) && (steps[to].block == nil || steps[to].message == nil); to++ {
			if b := steps[to].block; b != nil && b.Lossy {
				loose++
			}
		}
		for i := from; i < to && loose > 0; i++ {
			if s := &steps[i]; s.block == nil && !s.done {
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
