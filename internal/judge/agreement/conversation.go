package agreement

import (
	"bytes"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
)

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

// Conversation is a stored conversation. Once complete, it is safe for
// concurrent use by several comparisons.
type Conversation struct {
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

// NewConversation returns an empty conversation.
func NewConversation(name string) *Conversation {
	return &Conversation{Name: name, byText: map[textKey][]int{}}
}

// Full reports whether the conversation has the maximum number of messages.
func (c *Conversation) Full() bool { return len(c.messages) >= MaxStoredMessages }

// Add appends a message. Only those of the assistant and of the computer are
// streamed; the others are turns.
func (c *Conversation) Add(r *lmc.Record) {
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
