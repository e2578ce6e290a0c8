package agreement

import (
	"bytes"
	"unicode/utf8"

	"github.com/lmclint/lmclint/internal/base/wtf8"
	"github.com/lmclint/lmclint/internal/model/blocks"
	"github.com/lmclint/lmclint/internal/model/lmc"
)

// Difference is a difference between a stream and a stored conversation, or its
// explanation.
type Difference struct {
	Reason    Reason
	Block     *StreamedBlock // nil for a message that was not streamed
	Message   *StoredMessage // nil for a block that was not stored; but see Near
	More      int            // further consecutive blocks or messages with the same reason
	Near      *StoredMessage // the message next to which a block is missing
	AfterNear bool           // Near precedes the missing block
	After     *StreamedBlock // the block after which a message was not streamed, nil at the beginning
}

// Reason is what a difference is, or how it is explained.
type Reason uint8

// The reasons.
const (
	agree Reason = iota

	// NotStreamed is a message without a block. The reasons after it explain one.
	NotStreamed
	StreamedBefore      // it belongs to turns before the stream
	StreamedAfter       // it belongs to turns after the stream
	StoredByDisplay     // the terminal's display stored it
	StoredByApplication // the application ran the code itself, and stored the output

	// NotStored is a block without a message.
	NotStored
	Moved // it is stored at another place

	// Differs is a block whose message has another text. The reasons after it, up
	// to DisplayedToo, explain one.
	Differs
	TruncatedOutput    // the output was truncated to its end
	Unwrapped          // the interpreter unwrapped the code
	Edited             // the code was edited at its confirmation
	NoteAsMessage      // a note became a message
	LanguageSpelling   // the language is spelled differently
	JoinedOutput       // one message contains the output of two blocks
	DisplayedToo       // the terminal's display added a line
	TruncationMismatch // the output was truncated, and is not the end of what was streamed
	OtherFormat        // the format differs, the text does not
	AppendedToOther    // the text of another block was appended
	RepeatedFirstChunk // the first chunk already contains the text of the following ones
)

// Explained reports whether the reason explains a difference.
func (r Reason) Explained() bool {
	return r > NotStreamed && r <= StoredByApplication || r > Differs && r <= DisplayedToo
}

// shownByDisplay is what the terminal's display stores for what it displays.
const shownByDisplay = "Displayed on the user's machine."

// compare returns how a block and a message agree, and false if they are of
// different kinds.
func compare(b, m *blocks.Block) (reason Reason, ok bool) {
	if b.Type == "code" && b.Role == "assistant" && m.Role == "assistant" {
		if reason, ok := compareCode(b, m); ok {
			return reason, true
		}
	}
	switch {
	case b.Role != m.Role || b.Type != m.Type:
		return agree, false
	case b.Lossy || m.Lossy:
		return agree, true
	case b.Format != m.Format && b.Text.Equal(&m.Text):
		if b.Type == "code" && lmc.Canonical(b.Format) == lmc.Canonical(m.Format) {
			return LanguageSpelling, true
		}
		return OtherFormat, true
	case b.Text.Equal(&m.Text):
		return agree, true
	}
	text, ok1 := b.Text.Whole()
	stored, ok2 := m.Text.Whole()
	areWhole, first := ok1 && ok2, b.Text.First
	if b.Type == "console" {
		kept, shown := truncatedTo(m)
		rest, isLonger := bytes.CutPrefix(stored, text)
		switch {
		case kept > 0 && bytes.Equal(b.Text.End(kept), shown):
			return TruncatedOutput, true
		case kept > 0:
			return TruncationMismatch, true
		case areWhole && isLonger && string(bytes.TrimSpace(rest)) == shownByDisplay:
			return DisplayedToo, true
		}
		return Differs, true
	}
	switch { // a message may have only the first chunk, which was serialized after the others had been appended to it
	case !areWhole || first >= b.Text.Bytes || b.Format != m.Format || !bytes.Equal(text[:first], stored) || !bytes.HasSuffix(text[:first], text[first:]):
		return Differs, true
	case b.Type == "image":
		return agree, true // LMC404 reports two images
	}
	return RepeatedFirstChunk, true
}

// compareCode explains how the interpreter rewrites code before it stores it, or
// how the user edits it at the confirmation.
func compareCode(b, m *blocks.Block) (reason Reason, ok bool) {
	switch {
	case m.Type == "message" && lmc.IsNoteLanguage(b.Format): // it may have become that message
		note, ok1 := b.Text.Whole()
		text, ok2 := m.Text.Whole()
		if !ok1 || !ok2 {
			return NoteAsMessage, m.Text.Bytes == b.Text.Bytes+int64(len("```\n\n```"))
		}
		text, fenced := bytes.CutPrefix(text, []byte("```\n"))
		if bytes.Equal(bytes.TrimSuffix(text, []byte("\n```")), note) {
			return NoteAsMessage, fenced
		}
		return Differs, fenced
	case m.Type != "code" || m.Lossy || b.Text.Equal(&m.Text):
		return agree, false
	}
	if code, language, ok := b.Rewritten(); ok && code.Equal(&m.Text) {
		return Unwrapped, language == m.Format || b.Format == m.Format
	}
	switch asked := b.Confirmed; {
	case asked == nil || b.Format != m.Format:
		return agree, false
	case asked.Equal(&b.Text):
		return Edited, true
	case asked.Equal(&m.Text):
		return agree, true // LMC304 reports the difference
	}
	return agree, false
}

// FirstMismatch returns where the texts of a block and its message begin to
// differ: the number of the code point, from 1, and a few code points of each.
// It returns false if the texts are not kept.
func (d *Difference) FirstMismatch() (at int, streamed, stored string, ok bool) {
	if d.Block == nil || d.Message == nil {
		return 0, "", "", false
	}
	a, ok1 := d.Block.Text.Whole()
	b, ok2 := d.Message.Text.Whole()
	if !ok1 || !ok2 || bytes.Equal(a, b) {
		return 0, "", "", false
	}
	runes, i := blocks.CommonRunes(a, b)
	return runes + 1, firstOf(a[i:]), firstOf(b[i:]), true
}

// firstOf returns at most the first 24 code points of a text.
func firstOf(text []byte) string {
	at := 0
	for n := 0; n < 24 && at < len(text); n++ {
		_, size := wtf8.DecodeRune(text[at:])
		at += size
	}
	return string(bytes.ToValidUTF8(text[:at], []byte("\uFFFD")))
}

// Explain returns why a consumer stores a message that is not equal to the block
// that it comes from, and whether that is known to happen.
func Explain(block, message *blocks.Block) (Reason, bool) {
	kept, _ := truncatedTo(message)
	_, isWhole := message.Text.Whole()
	if _, ok := block.Text.Whole(); !isWhole || !ok && (kept == 0 || utf8.RuneCount(block.Text.Tail) < kept) {
		return Differs, false
	}
	reason, ok := compare(block, message)
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
