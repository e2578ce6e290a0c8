package agreement

import (
	"bytes"
	"slices"

	"github.com/lmclint/lmclint/internal/blocks"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// Limits on the texts that are kept of a conversation. Texts beyond them are
// compared by length and 128-bit hash only.
const (
	maxKept     = 256 << 10 // bytes of one text
	maxKeptAll  = 64 << 20  // bytes of the texts of a conversation
	maxCutKnown = 1 << 20   // code points of truncated output
	// MaxStoredMessages is how many messages a conversation may have.
	MaxStoredMessages = 1 << 20
)

// StoredMessage is a message of a conversation.
type StoredMessage struct {
	blocks.Block

	Place, Content source.Place // of the message, and of its content
	Turn           int          // the user's messages before it

	incomparable bool   // the content is not a string: it cannot be compared
	cut          int    // code points kept of truncated output, or 0
	shown        []byte // of truncated output: what follows the notice
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
	m := StoredMessage{
		Block: blocks.Block{Role: r.Role, Type: r.Type, Format: r.Format, Text: blocks.TextOf(nil)}, Turn: c.turns,
		incomparable: r.Content == nil || r.Content.Kind != source.String,
	}
	if !m.incomparable && r.Empty() && r.Type == "console" {
		return // an execution without output
	}
	m.Place, m.Content = r.Place(), r.PlaceOf("content")
	if !m.incomparable {
		text := wtf8.JoinSurrogates(r.Content.AppendExact(nil))
		m.Text = blocks.TextOf(text)
		m.findNotice()
		c.longest = max(c.longest, m.cut)
		if len(text) <= maxKept && c.keptAll+len(text) <= maxKeptAll {
			c.keptAll += len(text)
			m.Text.Head = slices.Clip(text)
		} else {
			m.Text.Head = nil
		}
		key := keyOf(&m.Block)
		c.byText[key] = append(c.byText[key], len(c.messages))
	}
	c.messages = append(c.messages, m)
}

// findNotice finds out whether the message is truncated output.
func (m *StoredMessage) findNotice() {
	if kept, size, ok := CutNotice(m.Text.Head); m.Type == "console" && ok && kept <= maxCutKnown {
		m.cut, m.shown = kept, bytes.Clone(m.Text.Head[size:])
	}
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
