package compare

import (
	"cmp"
	"slices"

	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// Recording is what is compared of one input.
type Recording struct {
	Path     string   `json:"path"`
	Protocol string   `json:"protocol"`
	Kind     string   `json:"kind"` // of its first conversation: transcript, stream or session
	Records  int      `json:"records"`
	Blocks   []*Block `json:"-"`

	Unreadable []source.Problem `json:"-"` // the first records that could not be read
	Unread     int              `json:"-"` // how many there are
	Skipped    int              `json:"-"` // records about the connection, and repeated ones: they are not compared
	Full       bool             `json:"-"` // it has more than MaxBlocks; the others are not in Blocks

	conversations []*conversation
	count         int // of blocks
	textBytes     int
}

// maxProblems is how many problems are listed.
const maxProblems = 10

// Recorder observes the check of one input. It implements [plugin.Observer].
type Recorder struct{ recording Recording }

// Observe is an argument for lint.WithObserver: it returns a new Recorder for
// the input of that name.
func Observe(name string) plugin.Observer { return &Recorder{Recording{Path: name}} }

// Of returns the recording of an input that was checked with [Observe], else nil. The
// blocks of all conversations follow one another. Where there are several, a block of
// its own begins each.
func Of(result lint.Result) *Recording {
	recorder, ok := result.Observer.(*Recorder)
	if !ok {
		return nil
	}
	r := &recorder.recording
	list := slices.DeleteFunc(r.conversations, func(c *conversation) bool { return !c.hasRecord })
	slices.SortStableFunc(list, func(a, b *conversation) int { return cmp.Compare(a.number, b.number) })
	for _, c := range list {
		if len(list) > 1 {
			r.Blocks = append(r.Blocks, newBoundary(c.number, c.blocks))
		}
		r.Blocks = append(r.Blocks, c.blocks...)
	}
	r.conversations = nil
	return r
}

// Begin implements [plugin.Observer].
func (r *Recorder) Begin(c plugin.Conversation) plugin.ConversationObserver {
	made := &conversation{recording: &r.recording, number: c.Number, kind: c.Kind}
	if len(r.recording.conversations) == 0 {
		r.recording.Protocol, r.recording.Kind = c.Protocol, c.Kind
	}
	r.recording.conversations = append(r.recording.conversations, made)
	if c.Protocol == (protocol.Workbench{}).Name() {
		return &workbenchConversation{conversation: made}
	}
	return &lmcConversation{conversation: made}
}

// conversation collects the blocks of one conversation. It has the methods of a
// [plugin.ConversationObserver] that do nothing.
type conversation struct {
	recording *Recording
	number    int
	kind      string
	blocks    []*Block
	hasRecord bool // records, or what should have been one
}

// Event implements [plugin.ConversationObserver].
func (*conversation) Event(plugin.Mask, any) {}

// Reported implements [plugin.ConversationObserver].
func (*conversation) Reported([]source.Place) {}

// count counts a record. Lines of a log that hold none do not make a conversation.
func (c *conversation) count(rec *source.Record) {
	if !rec.IsGap {
		c.recording.Records++
	}
	c.hasRecord = c.hasRecord || !rec.IsGap || rec.IsLost()
}

// add appends a block, unless there are too many.
func (c *conversation) add(b *Block) {
	if c.recording.count >= MaxBlocks {
		c.recording.Full = true
		return
	}
	c.recording.count++
	c.blocks = append(c.blocks, b)
}

// addRecord adds a block of one record, with the text to compare.
func (c *conversation) addRecord(kind Kind, rec *source.Record, text []byte) {
	b := c.recording.newBuilder(kind, rec)
	b.text.Add(slices.Clone(text))
	if !rec.IsGap {
		b.block.Records = 1
	}
	c.add(b.end())
}

// unreadable adds a record that could not be read.
func (c *conversation) unreadable(rec *source.Record) {
	text := rec.Data
	if rec.Root != nil { // a value, though no record: with a key twice, or not an object
		text = canonical.Append(nil, rec.Root)
	}
	c.addRecord(Unreadable, rec, text)
	c.recording.Unread++
	if len(c.recording.Unreadable) < maxProblems {
		c.recording.Unreadable = append(c.recording.Unreadable, *rec.Fatal())
	}
}

// newBoundary returns the block that begins a conversation with these blocks.
func newBoundary(number int, following []*Block) *Block {
	b := &Block{Kind: Boundary, Place: Place{Start: source.Position{Line: 1, Column: 1}, Record: -1, Conversation: number}}
	if len(following) > 0 {
		b.Place = following[0].Place
	}
	return b
}
