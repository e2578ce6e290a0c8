package compare

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

// builder builds a block from the records of which it consists.
type builder struct {
	recording *Recording
	block     *Block
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
	maxValuesShown = 1 << 10 // bytes of Block.Values
	tailBytes      = 64 << 10
)

// newBuilder begins a block at a record.
func (r *Recording) newBuilder(kind Kind, src *source.Record) *builder {
	at := src.Place()
	place := Place{Start: at.Span.Start, Record: at.Record, Conversation: src.Conversation, Pointer: at.Pointer}
	return &builder{
		recording: r, text: blocks.NewTextBuilder(MaxTextBytes, tailBytes),
		block: &Block{Kind: kind, Place: place, sent: src.Direction == source.Sent},
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
func (b *builder) end() *Block {
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
