package agreement

import (
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/wtf8"
)

// Text is a block or a message whose text is known, for [Explain].
type Text struct {
	Role, Type, Format string
	Text               []byte // the whole text, in WTF-8; nil if it is not known
	Tail               []byte // its end, if the whole text is not known
	First              int    // bytes of the first chunk of a block
	Confirmed          *Text  // the code that a block's confirmation asked about, or nil
}

// Explain returns why a consumer stores a message that is not equal to the block
// that it comes from, and whether that is known to happen.
func Explain(block, message *Text) (Reason, bool) {
	c := NewConversation("")
	m := StoredMessage{Role: message.Role, Type: message.Type, Format: message.Format, incomparable: message.Text == nil}
	c.keep(&m, message.Text)
	b := &StreamedBlock{Role: block.Role, Type: block.Type, Format: block.Format, Text: lmc.DigestText(string(block.Text)), first: block.First}
	b.kept, b.tail = block.Text, block.Tail
	if block.Text != nil {
		b.tail = block.Text
	}
	if m.cut > 0 {
		b.tail = wtf8.Tail(b.tail, m.cut)
	}
	if a := block.Confirmed; a != nil {
		b.confirmation = &lmc.ConfirmationRequest{Language: a.Format, Text: lmc.DigestText(string(a.Text)), OK: a.Text != nil}
	}
	if m.incomparable || block.Text == nil && (m.cut == 0 || utf8.RuneCount(b.tail) < m.cut) {
		return Differs, false
	}
	reason, ok := compare(b, &m)
	return reason, ok && reason.Explained()
}

// IsDisplayNote reports whether a console message is what the terminal's display
// stores for what it displays. No block is streamed for it.
func IsDisplayNote(m *Text) bool {
	return m.Role == "computer" && m.Type == "console" && string(m.Text) == shownByDisplay
}

// HoldsJoined reports whether a message is the output of two blocks that follow
// each other.
func HoldsJoined(first, second, message *Text) bool {
	return first.Type == "console" && second.Type == "console" && message.Type == "console" &&
		first.Text != nil && second.Text != nil && len(message.Text) > 0 &&
		string(message.Text) == string(first.Text)+string(second.Text)
}
