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

// Comparison compares a stream with a conversation: it keeps the blocks of the stream, and
// aligns them with the messages when the stream ends.
type Comparison struct {
	conversation *Conversation
	report       func(*Difference)

	blocks         []*StreamedBlock
	kept           int                 // bytes of their texts that are kept
	block          int                 // the number of the block that is being streamed
	text           *blocks.TextBuilder // of it
	lastClosed     int                 // the number of the last block that was closed
	code           *StreamedBlock      // the assistant's last code
	unstreamedCode []blocks.Text       // the last code that was confirmed but not streamed

	// At the end of the stream.
	next            int              // index of the first undecided message
	paired          bool             // a message has been found
	last            *StreamedBlock   // the last block that was decided
	turn            int              // of the message found last
	appStoredOutput bool             // the application stored output itself, and no block followed
	missing         []*StoredMessage // the last messages, if they were not streamed and it is not reported yet
	missingAfter    *StreamedBlock   // the block before these
	unstored        *Difference      // the last blocks, if they were not stored and it is not reported yet
}

const (
	maxStreamedBlocks = 1 << 20 // that are compared
	maxUnstreamedCode = 64      // confirmed code without a block that is kept
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
			a.unstreamedCode = append(a.unstreamedCode[max(0, len(a.unstreamedCode)+1-maxUnstreamedCode):], askedText(r))
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
		a.decide()
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
	if !isApart && len(a.blocks) < maxStreamedBlocks { // else it is a turn, or never stored, or as an empty message
		if a.kept += len(s.Text.Head); a.kept > maxKeptAll {
			s.Text.Head = nil
		}
		a.blocks = append(a.blocks, s)
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
