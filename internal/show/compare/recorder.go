package compare

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/plainjson"
	"github.com/lmclint/lmclint/internal/contract/plugin"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/source/value"
	"github.com/lmclint/lmclint/lint"
)

// Recording is what is compared of one input.
type Recording struct {
	Path     string   `json:"path"`
	Protocol string   `json:"protocol"`
	Kind     string   `json:"kind"` // of its first conversation: transcript, stream or session
	Records  int      `json:"records"`
	Blocks   []*Entry `json:"-"`

	Unreadable []source.Problem `json:"-"` // the first records that could not be read
	Unread     int              `json:"-"` // how many there are
	Skipped    int              `json:"-"` // records about the connection, and repeated ones: they are not compared
	Full       bool             `json:"-"` // it has more than MaxBlocks; the others are not in Blocks

	conversations []*conversationRecorder
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
	list := slices.DeleteFunc(r.conversations, func(c *conversationRecorder) bool { return !c.hasRecord })
	slices.SortStableFunc(list, func(a, b *conversationRecorder) int { return cmp.Compare(a.number, b.number) })
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
	made := &conversationRecorder{recording: &r.recording, number: c.Number, kind: c.Kind}
	if len(r.recording.conversations) == 0 {
		r.recording.Protocol, r.recording.Kind = c.Protocol, c.Kind
	}
	r.recording.conversations = append(r.recording.conversations, made)
	if c.Protocol == (protocol.Workbench{}).Name() {
		return &workbenchRecorder{conversationRecorder: made}
	}
	return &lmcRecorder{conversationRecorder: made}
}

// conversation collects the blocks of one conversation. It has the methods of a
// [plugin.ConversationObserver] that do nothing.
type conversationRecorder struct {
	recording *Recording
	number    int
	kind      string
	blocks    []*Entry
	hasRecord bool // records, or what should have been one
}

// Event implements [plugin.ConversationObserver].
func (*conversationRecorder) Event(plugin.Mask, any) {}

// Reported implements [plugin.ConversationObserver].
func (*conversationRecorder) Reported(uint8, []source.Place) {}

// count counts a record. Lines of a log that hold none do not make a conversation.
func (c *conversationRecorder) count(rec *source.Record) {
	if !rec.IsGap {
		c.recording.Records++
	}
	c.hasRecord = c.hasRecord || !rec.IsGap || rec.IsLost()
}

// add appends a block, unless there are too many.
func (c *conversationRecorder) add(b *Entry) {
	if c.recording.count >= MaxBlocks {
		c.recording.Full = true
		return
	}
	c.recording.count++
	c.blocks = append(c.blocks, b)
}

// addRecord adds a block of one record, with the text to compare.
func (c *conversationRecorder) addRecord(kind Kind, rec *source.Record, text []byte) {
	b := c.recording.newBuilder(kind, rec)
	b.text.Add(slices.Clone(text))
	if !rec.IsGap {
		b.block.Records = 1
	}
	c.add(b.end())
}

// unreadable adds a record that could not be read.
func (c *conversationRecorder) unreadable(rec *source.Record) {
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
func newBoundary(number int, following []*Entry) *Entry {
	b := &Entry{Kind: Boundary, Place: Place{Start: source.Position{Line: 1, Column: 1}, Record: -1, Conversation: number}}
	if len(following) > 0 {
		b.Place = following[0].Place
	}
	return b
}

// Kind is what a block is.
type Kind string

// The kinds of blocks.
const (
	Content    Kind = "content"      // a block of a stream, or a whole message
	Single     Kind = "single"       // a record without a block: a confirmation, or a frame of the server
	Event      Kind = "event"        // an event of Semantic Workbench
	Other      Kind = "other"        // an object that is neither a message nor a chunk
	Unreadable Kind = "unreadable"   // a record that could not be read
	Boundary   Kind = "conversation" // where a conversation begins, in an input with several
)

// Entry is what is compared with the block of another recording.
type Entry struct {
	Kind Kind `json:"kind"`
	blocks.Block
	Recipient string `json:"recipient,omitempty"` // several are separated by commas

	// Flags says which flags a block of a stream has, and what is unusual about
	// them: "start, end" normally. It is "" for a whole message.
	Flags string `json:"flags,omitempty"`

	// Keys are the names of other keys than those of the protocol, sorted.
	Keys string `json:"keys,omitempty"`

	// Values are the contents that are not text, as JSON, such as the numbers of
	// active lines. They may be truncated.
	Values string `json:"values,omitempty"`

	Place   Place `json:"-"`
	Records int   `json:"-"` // that it consists of

	sent   bool        // by the client of a session
	values blocks.Hash // of all values
	sketch sketch
}

// Place is where a block begins.
type Place struct {
	Start        source.Position
	Record       int // from 0; -1 between records
	Conversation int // from 0; -1 where the input is a single one
	Pointer      string
}

// Name names the block in messages.
func (b *Entry) Name() string {
	switch b.Kind {
	case Boundary:
		return "conversation"
	case Unreadable:
		return "unreadable record"
	}
	return cmp.Or(b.Block.Name(), "record")
}

// builder builds a block from the records of which it consists.
type builder struct {
	recording *Recording
	block     *Entry
	flags     []string
	keys      []string // sorted
	formats   []string // of console content, but for output and active_line; sorted

	text   *blocks.TextBuilder
	values *blocks.TextBuilder // nil without any
	chunks int
	last   int // the last record
	closed bool
}

const (
	withoutType    = "without type"
	withoutFormat  = "without format"
	maxValuesShown = 1 << 10 // bytes of Entry.Values
	tailBytes      = 64 << 10
)

// newBuilder begins a block at a record.
func (r *Recording) newBuilder(kind Kind, src *source.Record) *builder {
	at := src.Place()
	place := Place{Start: at.Span.Start, Record: at.Record, Conversation: src.Conversation, Pointer: at.Pointer}
	return &builder{
		recording: r, text: blocks.NewTextBuilder(MaxTextBytes, tailBytes),
		block: &Entry{Kind: kind, Place: place, sent: src.Direction == source.Sent},
	}
}

// flag adds a flag, and notes what is unusual about it.
func (b *builder) flag(name string, n *source.Node, r *lmc.Record) {
	words := []string{n.Name}
	if n.Kind != source.Bool || n.Value() != true {
		words = append(words, string(canonical.Append(nil, n)))
	}
	switch {
	case r.Type == "":
		words = append(words, withoutType)
	case r.Type == "console" && r.Format != "":
		words = append(words, "with format "+r.Format)
	case r.Type != "console" && r.Format == "" && b.block.Format != "":
		words = append(words, withoutFormat)
	}
	for _, extra := range []string{"content", "recipient"} {
		if r.Key(extra) != nil {
			words = append(words, "with "+extra)
		}
	}
	if name == "end" && r.Type != "" && (r.Role != b.block.Role || r.Type != b.block.Type || r.Type != "console" && r.Format != "" && r.Format != b.block.Format) {
		words = append(words, "of "+lmc.Name(r.Role, r.Type, r.Format))
	}
	b.flags = append(b.flags, strings.Join(words, " "))
}

// note adds what a record has besides its flags and its content, once.
func (b *builder) note(r *lmc.Record) {
	if b.block.Records > 0 && b.last == r.Source.Index {
		return
	}
	b.block.Records++
	b.last = r.Source.Index
	if r.Binary {
		return
	}
	k := b.block
	if n := r.Key("recipient"); n != nil && n.Kind == source.String {
		switch to := n.Text(); {
		case k.Recipient == "":
			k.Recipient = to
		case !slices.Contains(strings.Split(k.Recipient, ", "), to) && len(k.Recipient) < maxValuesShown:
			k.Recipient += ", " + to
		}
	}
	for i := range r.Root.Children {
		n := &r.Root.Children[i]
		if n.Name == "content" {
			continue
		}
		switch n.Name {
		case "role", "type", "format", "start", "end", "stop", "recipient", "id", "created_at":
			// ids and times are different in every recording
		default:
			b.keys = insert(b.keys, n.Name)
		}
		if n.Kind == source.Null {
			b.keys = insert(b.keys, n.Name+" null")
		}
	}
}

// insert adds a word to a list that is sorted, unless it has the word or is long.
func insert(list []string, word string) []string {
	at, found := slices.BinarySearch(list, word)
	if found || len(list) >= maxKeys {
		return list
	}
	return slices.Insert(list, at, strings.Clone(word))
}

// maxKeys is how many names of other keys are kept of a block, and how many
// formats.
const maxKeys = 64

// content adds a record with its content.
func (b *builder) content(r *lmc.Record) {
	b.note(r)
	b.chunks++
	if r.Type == "console" && r.Format != "output" && r.Format != "active_line" {
		b.formats = insert(b.formats, cmp.Or(r.Format, "none")) // those that console takes alternate in a block
	}
	switch n := r.Content; {
	case r.Binary:
		b.text.Add(r.Source.Data)
	case n == nil:
	case n.Kind == source.String && (r.Type != "console" || r.Format != "active_line"):
		b.text.AddContent(r)
	case r.Type == "console" && r.Format != "active_line":
		b.addJSON(canonical.Append([]byte("output "), n))
	default:
		b.addJSON(canonical.Append(nil, n))
	}
}

// addJSON adds a value that is not text, as canonical JSON.
func (b *builder) addJSON(value []byte) {
	if b.values == nil {
		b.values = blocks.NewTextBuilder(maxValuesShown, 0)
	}
	b.values.Add(append(value, 0))
}

// end completes the block. It keeps the text, or else of console output its end, if
// there is memory for it.
func (b *builder) end() *Entry {
	k := b.block
	k.Text = b.text.Text()
	if b.values != nil {
		values := b.values.Text()
		k.Values, k.values = string(bytes.ReplaceAll(bytes.TrimSuffix(values.Head, []byte{0}), []byte{0}, []byte{' '})), values.Hash
	}
	if k.Type == "console" {
		k.Format = "output"
		if len(b.formats) > 0 {
			k.Format = strings.Join(b.formats, ", ")
		}
	}
	k.Flags, k.Keys = strings.Join(b.flags, ", "), strings.Join(b.keys, ", ")
	t, used := &k.Text, &b.recording.textBytes
	k.sketch = sketchOf(t.Head)
	if head, whole := t.Whole(); !whole || *used+len(head) > MaxAllTextBytes {
		t.Head = nil
	}
	if k.Type != "console" || *used+len(t.Tail) > MaxAllTextBytes {
		t.Tail = nil
	}
	*used += len(t.Head) + len(t.Tail)
	return k
}

// canonical writes values as JSON in which nothing depends on how they were written:
// the order of keys, whitespace, escapes, or Python's words. Numbers are unchanged.
var canonical = value.Writer{
	Compact: true,
	String:  func(b []byte, n *source.Node) []byte { return appendString(b, n.Text()) },
	Name:    func(b []byte, n *source.Node) []byte { return appendString(b, n.Name) },
	Members: func(all []source.Node) []source.Node {
		sorted := slices.Clone(all)
		slices.SortStableFunc(sorted, func(a, b source.Node) int { return strings.Compare(a.Name, b.Name) })
		return sorted
	},
}

func appendString(b []byte, text string) []byte {
	written, _ := plainjson.Marshal(text) // a string can be encoded
	return append(b, written...)
}
