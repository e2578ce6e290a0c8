// Package agreement compares a stream with a stored transcript.
//
// A [Comparison] follows the events of the tracker of a stream and finds the
// messages of a [Conversation] that its blocks became.
package agreement

import (
	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// StreamedBlock is a block of the stream.
type StreamedBlock struct {
	blocks.Block

	Place source.Place // of its start

	asked  bool // the user was asked to confirm the code
	notRun bool // code without output
}

// Comparison compares a stream with a conversation while the stream is read. It
// keeps the blocks that are not decided yet, at most [window] of them.
type Comparison struct {
	conversation *Conversation
	report       func(*Difference)

	block int                 // the number of the block that is being streamed
	text  *blocks.TextBuilder // of it

	next            int              // index of the first undecided message
	pending         []*StreamedBlock // undecided blocks
	paired          bool             // a message has been found
	last            *StreamedBlock   // the last block that was decided
	turn            int              // of the message found last
	lastClosed      int              // the number of the last block that was closed
	appStoredOutput bool             // the application stored output itself, and no block followed
	code            *StreamedBlock   // the assistant's last code
	unstreamedCode  []blocks.Text    // the last code that was confirmed but not streamed
	missing         []*StoredMessage // the last messages, if they were not streamed and it is not reported yet
	missingAfter    *StreamedBlock   // the block before these
	unstored        *Difference      // the last blocks, if they were not stored and it is not reported yet
}

const (
	window = 64         // maximum number of undecided blocks
	ahead  = 2 * window // messages that they are compared with
)

// New returns the comparison of one stream with a conversation. It passes the
// differences to report, mostly in the order of the stream.
func New(c *Conversation, report func(*Difference)) *Comparison {
	return &Comparison{conversation: c, report: report}
}

// HandledKinds are the kinds of events that [Comparison.Handle] needs.
const HandledKinds = lmc.Opened | lmc.Content | lmc.ActiveLine | lmc.PlainText | lmc.Closed | lmc.Confirmation | lmc.Finished

// Handle handles an event of the stream's tracker.
func (a *Comparison) Handle(e *lmc.Event) {
	switch b, r := e.Block, e.Record; e.Kind.Untyped() {
	case lmc.Opened:
		tail := 0
		if b.Type == "console" {
			tail = 4 * a.conversation.longest
		}
		a.block, a.text = b.Number, blocks.NewTextBuilder(maxKept, tail)
	case lmc.Content, lmc.ActiveLine, lmc.PlainText:
		if b.Number != a.block || r.Format == "active_line" || r.Content == nil || r.Content.Kind != source.String {
			return // never stored
		}
		a.text.AddContent(r)
	case lmc.Confirmation:
		switch {
		case e.Code == nil && e.Asked.OK: // that the code was not streamed is reported at its confirmation
			a.unstreamedCode = append(a.unstreamedCode[max(0, len(a.unstreamedCode)+1-window):], askedText(r))
		case a.code == nil || a.code.asked:
		default:
			a.code.asked = true
			if e.Asked.OK {
				asked := askedText(r)
				a.code.Confirmed = &asked
			}
		}
	case lmc.Closed:
		a.closed(b)
	case lmc.Finished:
		a.decide(true)
		a.endRuns()
	}
}

// closed adds a complete block.
func (a *Comparison) closed(b *lmc.Block) {
	if b.Number == a.lastClosed {
		return // it continued after a block in its middle
	}
	a.lastClosed = b.Number
	s := a.streamed(b)
	if b.IsFromExecution() && a.code != nil {
		a.code.notRun = false
	}
	isApart := s.Role == "user" || s.Type == "review" || s.Type == "console" && s.Text.Bytes == 0 && !s.Lossy
	if !isApart { // else it is a turn, or never stored, or as an empty message
		a.pending = append(a.pending, s)
	}
	if len(a.pending) == window {
		a.decide(false) // more blocks showed what is missing
	}
	if s.Role == "assistant" && s.Type == "code" {
		a.code = s
		s.notRun = true
	}
}

// streamed returns a block that is complete.
func (a *Comparison) streamed(b *lmc.Block) *StreamedBlock {
	s := &StreamedBlock{Block: blocks.Block{Role: b.Role, Type: b.Type, Format: b.Format, Text: blocks.TextOf(nil), Lossy: true}, Place: b.Start.Place()}
	if b.Number != a.block {
		return s
	}
	s.Lossy = b.Lossy || b.Cut || b.Stray || b.Invalid()&^lmc.InvalidLanguage != 0
	s.Text = a.text.Text()
	if b.Type == "console" {
		s.Format = "output"
	}
	text, whole := s.Text.Whole()
	switch repeats := b.Repetition(); {
	case repeats == lmc.NoRepetition:
	case repeats != lmc.FirstHasAll, !whole, s.Text.First > s.Text.Bytes:
		s.Lossy = true
	default:
		s.Text = blocks.TextOf(text[:s.Text.First]) // without what it repeats
	}
	if _, whole := s.Text.Whole(); !whole {
		s.Text.Head = nil
	}
	return s
}

// askedText returns the code that a confirmation asks about. It has one.
func askedText(r *lmc.Record) blocks.Text {
	_, code := lmc.AskedCode(r.Content)
	return blocks.TextOf(wtf8.JoinSurrogates(code.AppendExact(nil)))
}

// decide decides all pending blocks if final, or else the older half of them.
func (a *Comparison) decide(final bool) {
	a.find()
	upcoming := a.conversation.messages[a.next:]
	steps := align(a.pending, upcoming[:min(len(upcoming), ahead)])
	if final {
		steps = separateDoubtful(steps)
	} else {
		steps = firstHalf(steps)
	}
	for len(steps) > 0 && len(steps[len(steps)-1].blocks) == 0 { // later blocks may have these messages
		steps = steps[:len(steps)-1]
	}
	a.findMoved(steps)
	explainLossy(steps)
	for _, s := range steps {
		a.take(s)
	}
	// Complete turns after the last block belong to other streams, and so does what
	// follows output that the application stored.
	for messages := a.conversation.messages; final && a.next < len(messages); {
		m := &messages[a.next]
		if a.paired && (m.Turn > a.turn || a.appStoredOutput && m.Role == "assistant") {
			a.endRuns()
			a.report(&Difference{Reason: StreamedAfter, Message: m, After: a.last, More: len(messages) - a.next - 1})
			a.next = len(messages)
			return
		}
		a.next++
		a.notStreamed(m)
	}
}

// find searches for the messages of the pending blocks, if none were found yet
// or the next messages contain none of the blocks: the stream may begin with a
// later turn, or lack a part. It tries the messages that have the text of the first
// block, or else of the next one that has any; the last ones, if there are many. The
// messages before are not compared.
func (a *Comparison) find() {
	if len(a.pending) == 0 || a.paired && a.countStored(a.next, ahead) > 0 {
		return
	}
	best, most := a.next, a.countStored(a.next, nearMessages)
	for first, b := range a.pending {
		places := a.conversation.byText[keyOf(&b.Block)]
		for _, at := range places[max(0, len(places)-maxCandidates):] {
			if from := at - first; from > a.next {
				if n := a.countStored(from, nearMessages); n > most {
					best, most = from, n
				}
			}
		}
		if len(places) > 0 {
			break
		}
	}
	for a.next < best {
		a.take(step{message: &a.conversation.messages[a.next]})
	}
}

const (
	maxCandidates = 64 // messages with the same text that are tried
	nearMessages  = 2  // messages that are searched for the next block
)

// countStored counts the pending blocks that are stored in the messages from index
// from on, each at most within messages after the one before it.
func (a *Comparison) countStored(from, within int) (n int) {
	messages := a.conversation.messages[from:]
	for _, b := range a.pending {
		for j := range min(within, len(messages)) {
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
