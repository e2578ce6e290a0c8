package agreement

import (
	"bytes"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/blocks"
)

// Explain returns why a consumer stores a message that is not equal to the block
// that it comes from, and whether that is known to happen.
func Explain(block, message *blocks.Block) (Reason, bool) {
	m := StoredMessage{Block: *message}
	m.findNotice()
	_, isWhole := m.Text.Whole()
	if _, ok := block.Text.Whole(); !isWhole || !ok && (m.cut == 0 || utf8.RuneCount(block.Text.Tail) < m.cut) {
		return Differs, false
	}
	reason, ok := compare(&StreamedBlock{Block: *block}, &m)
	return reason, ok && reason.Explained()
}

// IsDisplayNote reports whether a console message is what the terminal's display
// stores for what it displays. No block is streamed for it.
func IsDisplayNote(m *blocks.Block) bool {
	return m.Role == "computer" && m.Type == "console" && string(m.Text.Head) == shownByDisplay
}

// HoldsJoined reports whether a message is the text of two blocks that follow each
// other.
func HoldsJoined(first, second, message *blocks.Block) bool {
	if message.Text.Bytes == 0 || message.Text.Bytes != first.Text.Bytes+second.Text.Bytes {
		return false
	}
	text, ok := message.Text.Whole()
	a, ok1 := first.Text.Whole()
	b, ok2 := second.Text.Whole()
	return ok && ok1 && ok2 && bytes.HasPrefix(text, a) && bytes.HasSuffix(text, b)
}
