// Package agreement compares a stream with a stored transcript.
//
// A [Comparison] follows the events of the tracker of a stream and finds the
// messages of a [Conversation] that its blocks became.
package agreement

import "github.com/lmclint/lmclint/internal/lmc"

// Agreement compares a stream with a conversation as the stream goes on. It
// keeps the blocks that are not decided, a few dozen at most.
type Comparison struct {
	conversation *Conversation
	tell         func(*Difference)
	gathering    blockBuilder

	next    int              // the first message that is not decided
	pending []*StreamedBlock // the blocks that are not decided
	paired  bool             // a message has been found
	last    *StreamedBlock   // the last block that was decided
	turn    int              // of the message found last
	shut    int              // the number of the last block that was closed
	given   bool             // the application stored output itself, and nothing was streamed since
	code    *StreamedBlock   // the assistant's code that nothing has run yet
	asked   []lmc.TextDigest // code that was confirmed and never streamed, the last of it
	gone    missingRun       // messages that no block gave
	unkept  unstoredRun      // blocks that no message holds
}

// missingRun is a run of messages that are missing for one reason.
type missingRun struct {
	messages []*StoredMessage
	after    *StreamedBlock
}

// unstoredRun is a run of blocks that are not stored, of which the first
// stands for all.
type unstoredRun struct {
	first *Difference
	more  int
}

const (
	window = 64         // blocks that wait for a decision
	ahead  = 2 * window // messages that they are compared with
)

// NewAgreement makes the comparison of one stream. Tell gets the
// disagreements, mostly in the order of the stream.
func New(c *Conversation, tell func(*Difference)) *Comparison {
	a := &Comparison{conversation: c, tell: tell}
	a.gathering.longest = c.longest
	return a
}

// Wants are the events that Happened asks for.
const Wants = lmc.Opened | lmc.Content | lmc.ActiveLine | lmc.PlainText | lmc.Closed | lmc.Confirmation | lmc.Finished

// Happened follows an event of the stream's tracker.
func (a *Comparison) Happened(e *lmc.Event) {
	switch e.Kind {
	case lmc.Opened:
		a.gathering.begin(e.Block)
	case lmc.Content, lmc.ActiveLine, lmc.PlainText:
		if e.Block.Number == a.gathering.block {
			a.gathering.add(e.Record)
		}
	case lmc.Confirmation:
		a.confirmed(e)
	case lmc.Closed:
		a.closed(e.Block)
	case lmc.Finished:
		a.finish()
	}
}

// closed takes in a block that is complete.
func (a *Comparison) closed(b *lmc.Block) {
	if b.Number == a.shut {
		return // it went on after something that did not belong there
	}
	a.shut = b.Number
	s := &StreamedBlock{Role: b.Role, Type: b.Type, Format: b.Format, Place: b.Start.Place(), loose: true}
	if b.Number == a.gathering.block {
		s = a.gathering.end(b)
	}
	if b.Ran() {
		a.ran()
	}
	if !s.isBlank() {
		a.add(s)
	}
	if s.Role == "assistant" && s.Type == "code" {
		a.code = s
		s.unrun = true
	}
}

// confirmed follows a confirmation. One of code that was not streamed says
// already that the code is missing.
func (a *Comparison) confirmed(e *lmc.Event) {
	if e.Code == nil && e.Asked.OK {
		a.asked = append(a.asked[max(0, len(a.asked)+1-window):], e.Asked.Text)
		return
	}
	if a.code != nil && a.code.asked == nil {
		asked := *e.Asked
		a.code.asked = &asked
	}
}

func (a *Comparison) ran() {
	if a.code != nil {
		a.code.unrun = false
	}
}

// add takes in a block that should be stored. It is decided when more blocks
// have come, because only they show what is missing.
func (a *Comparison) add(b *StreamedBlock) {
	a.pending = append(a.pending, b)
	if len(a.pending) == window {
		a.decide(false)
	}
}

func (a *Comparison) finish() {
	a.decide(true)
	a.endRuns()
}

// decide decides the blocks that wait, or the older half of them.
func (a *Comparison) decide(final bool) {
	a.find()
	steps := align(a.pending, a.upcoming())
	if final {
		steps = part(steps)
	} else {
		steps = firstHalf(steps)
	}
	steps = upToLastBlock(steps)
	a.findMoved(steps)
	explainLossy(steps)
	for _, s := range steps {
		a.take(s)
	}
	if final {
		a.rest()
	}
}

// upcoming are the messages that the blocks are compared with.
func (a *Comparison) upcoming() []StoredMessage {
	from := a.conversation.messages[a.next:]
	return from[:min(len(from), ahead)]
}

// find looks for the place of the blocks that wait, if it is not known or the
// messages that come next hold none of them: the stream may be of later turns
// alone, or lack a part. The messages before that place are gone.
func (a *Comparison) find() {
	if len(a.pending) == 0 || a.paired && a.holds(a.next, ahead) > 0 {
		return
	}
	best, most := a.next, a.holds(a.next, near)
	first, places := a.candidates()
	for _, at := range places {
		if from := at - first; from > a.next {
			if n := a.holds(from, near); n > most {
				best, most = from, n
			}
		}
	}
	for a.next < best {
		a.take(step{message: &a.conversation.messages[a.next]})
	}
}

const (
	maxCandidates = 64 // places of one text that are looked at
	near          = 2  // messages among which the next block is looked for
)

// candidates are places of the messages that say what the first block says, or
// else the first of those behind it that was stored at all; the last of them,
// if there are many.
func (a *Comparison) candidates() (block int, at []int) {
	for i, b := range a.pending {
		at := a.conversation.byText[textKey{b.Role, b.Type, b.Format, b.Text}]
		if len(at) > 0 {
			return i, at[max(0, len(at)-maxCandidates):]
		}
	}
	return 0, nil
}

// holds counts the blocks that the messages from there hold, each at most so
// far behind the one before it.
func (a *Comparison) holds(from, within int) (n int) {
	messages := a.conversation.messages[from:]
	for _, b := range a.pending {
		for j := range min(within, len(messages)) {
			m := &messages[j]
			if b.Role == m.Role && b.Type == m.Type && b.Text.Equal(&m.Text) && !m.odd {
				n++
				messages = messages[j+1:]
				break
			}
		}
	}
	return n
}
