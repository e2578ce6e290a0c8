// Package agreement compares a stream with a stored transcript.
//
// A [Comparison] follows the events of the tracker of a stream and finds the
// messages of a [StoredConversation] that its blocks became.
package agreement

import (
	"bytes"

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
	conversation *StoredConversation
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
func New(c *StoredConversation, report func(*Difference)) *Comparison {
	return &Comparison{conversation: c, report: report}
}

// HandledKinds are the kinds of events that [Comparison.Handle] needs.
const HandledKinds = lmc.Kind(lmc.Opened) | lmc.Kind(lmc.Content|lmc.ActiveLine|lmc.PlainText) | lmc.Kind(lmc.Closed) | lmc.Kind(lmc.Confirmation) | lmc.Kind(lmc.Finished)

// Handle handles an event of the stream's tracker.
func (a *Comparison) Handle(event any) {
	switch e := event.(type) {
	case *lmc.OpenedEvent:
		tail := 0
		if e.Block.Type == "console" {
			tail = 4 * a.conversation.longest
		}
		a.block, a.text = e.Block.Number, blocks.NewTextBuilder(maxKept, tail)
	case *lmc.ContentEvent:
		r := e.Record
		if e.Block.Number != a.block || r.Format == "active_line" || r.Content == nil || r.Content.Kind != source.String {
			return // never stored
		}
		a.text.AddContent(r)
	case *lmc.ConfirmationEvent:
		switch {
		case e.Code == nil && e.Asked.OK: // that the code was not streamed is reported at its confirmation
			a.unstreamedCode = append(a.unstreamedCode[max(0, len(a.unstreamedCode)+1-maxUnstreamedCode):], askedText(e.Record))
		case a.code == nil || a.code.asked:
		default:
			a.code.asked = true
			if e.Asked.OK {
				asked := askedText(e.Record)
				a.code.Confirmed = &asked
			}
		}
	case *lmc.ClosedEvent:
		a.closed(e.Block)
	case *source.PlaceRef: // of Finished: a stream has no other event of a place
		a.Finish()
	}
}

// Finish compares the blocks of the stream, which has ended.
func (a *Comparison) Finish() {
	a.decide()
	a.endRuns()
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

// Limits on the texts that are kept of a conversation. Texts beyond them are
// compared by length and 128-bit hash only.
const (
	maxKept     = 256 << 10 // bytes of one text
	maxKeptAll  = 64 << 20  // bytes of the texts of a conversation; more for truncated output
	maxCutKnown = 1 << 20   // code points of truncated output
	// MaxStoredMessages is how many messages a conversation may have.
	MaxStoredMessages = 1 << 20
)

// StoredMessage is a message of a conversation.
type StoredMessage struct {
	blocks.Block

	Place, Content source.Place // of the message, and of its content
	Turn           int          // the user's messages before it
}

// StoredConversation is a stored conversation. Once complete, it is safe for
// concurrent use by several comparisons.
type StoredConversation struct {
	Name     string // of its file, for messages
	messages []StoredMessage
	turns    int
	keptAll  int
	longest  int // code points of the longest truncated output
	byText   map[textKey][]int
}

// textKey identifies messages of the same kind and text.
type textKey struct {
	role, typ, format string
	bytes             int64
	hash              blocks.Hash
}

func keyOf(b *blocks.Block) textKey {
	return textKey{b.Role, b.Type, b.Format, b.Text.Bytes, b.Text.Hash}
}

// NewStoredConversation returns an empty conversation.
func NewStoredConversation(name string) *StoredConversation {
	return &StoredConversation{Name: name, byText: map[textKey][]int{}}
}

// Full reports whether the conversation has the maximum number of messages.
func (c *StoredConversation) Full() bool { return len(c.messages) >= MaxStoredMessages }

// Add appends a message. Only those of the assistant and of the computer are
// streamed; the others are turns.
func (c *StoredConversation) Add(r *lmc.Record) {
	switch r.Role {
	case "assistant", "computer":
	case "user", "":
		c.turns++
		return
	default:
		return
	}
	if r.Empty() && r.Type == "console" {
		return // an execution without output
	}
	m := StoredMessage{
		Block: blocks.Block{Role: r.Role, Type: r.Type, Format: r.Format, Text: blocks.TextOf(nil), Lossy: true},
		Place: r.Place(), Content: r.PlaceOf("content"), Turn: c.turns,
	}
	if r.Content != nil && r.Content.Kind == source.String {
		m.Text, m.Lossy = blocks.TextOf(wtf8.JoinSurrogates(r.Content.AppendExact(nil))), false
		kept, _ := truncatedTo(&m.Block)
		c.longest = max(c.longest, kept)
		if size := len(m.Text.Head); kept == 0 && (size > maxKept || c.keptAll+size > maxKeptAll) {
			m.Text.Head = nil
		}
		c.keptAll += len(m.Text.Head)
		key := keyOf(&m.Block)
		c.byText[key] = append(c.byText[key], len(c.messages))
	}
	c.messages = append(c.messages, m)
}

// truncatedTo returns how many code points of an output a message has, and these, if it
// is truncated output, else 0.
func truncatedTo(m *blocks.Block) (kept int, shown []byte) {
	if kept, size, ok := CutNotice(m.Text.Head); m.Type == "console" && ok && kept <= maxCutKnown {
		return kept, m.Text.Head[size:]
	}
	return 0, nil
}

// CutNotice parses the notice before truncated console output, as any release
// writes it. It returns how many code points were kept, and the size of the
// notice in bytes.
func CutNotice(text []byte) (kept, size int, ok bool) {
	const before, after = "Output truncated. Showing the last ", " characters."
	rest, ok := bytes.CutPrefix(text, []byte(before))
	if !ok {
		return 0, 0, false
	}
	digits := 0
	for ; digits < min(len(rest), 18) && '0' <= rest[digits] && rest[digits] <= '9'; digits++ {
		kept = kept*10 + int(rest[digits]-'0')
	}
	end := bytes.Index(rest[:min(len(rest), 512)], []byte("\n\n"))
	if digits == 0 || end < 0 || !bytes.HasPrefix(rest[digits:], []byte(after)) {
		return 0, 0, false
	}
	return kept, len(before) + end + 2, true
}
