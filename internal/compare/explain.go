package compare

import (
	"github.com/lmclint/lmclint/internal/agreement"
	"github.com/lmclint/lmclint/internal/protocol"
)

// Reason is why a message of a transcript is not equal to the block of the stream
// that it comes from.
type Reason string

// reasons names the reasons of package agreement.
var reasons = map[agreement.Reason]Reason{
	agreement.TruncatedOutput:  "truncated output",
	agreement.Unwrapped:        "code unwrapped before it ran",
	agreement.Edited:           "code edited at its confirmation",
	agreement.NoteAsMessage:    "note stored as a message",
	agreement.LanguageSpelling: "other spelling of the language",
	agreement.JoinedOutput:     "output of two blocks",
	agreement.DisplayedToo:     "line added by the terminal's display",
	agreement.StoredByDisplay:  "stored by the terminal's display",
}

// explain sets the reason of each difference between a stream and a transcript
// that is known to happen when the blocks are stored.
func (c *comparison) explain() {
	side := func(d *Difference) (block, message *Block) {
		if c.isStreamFirst {
			return d.A, d.B
		}
		return d.B, d.A
	}
	for i := range c.list {
		d := &c.list[i]
		switch block, message := side(d); {
		case d.Change == Changed:
			if why, ok := agreement.Explain(agreementText(block), agreementText(message)); ok {
				d.Reason = reasons[why]
			}
		case d.Change != Moved && message != nil && agreement.IsDisplayNote(agreementText(message)):
			d.Reason = reasons[agreement.StoredByDisplay]
		}
	}
	c.explainJoined(side)
}

// explainJoined explains a changed block next to one without a message, if the
// message is the output of both.
func (c *comparison) explainJoined(side func(*Difference) (block, message *Block)) {
	for i := range max(0, len(c.list)-1) {
		a, b := &c.list[i], &c.list[i+1]
		first, message := side(a)
		second, other := side(b)
		if first == nil || second == nil || (message == nil) == (other == nil) || a.Reason != "" || b.Reason != "" {
			continue
		}
		if message == nil {
			message = other
		}
		if agreement.HoldsJoined(agreementText(first), agreementText(second), agreementText(message)) {
			a.Reason, b.Reason = reasons[agreement.JoinedOutput], reasons[agreement.JoinedOutput]
		}
	}
}

// agreementText returns a block as package agreement compares it.
func agreementText(b *Block) *agreement.Text {
	if b == nil {
		return &agreement.Text{}
	}
	t := &agreement.Text{Role: b.Role, Type: b.Type, Format: b.Format, Tail: b.Tail, First: int(max(b.first, 0))}
	if b.HasText() {
		t.Text = b.Text
		if t.Text == nil {
			t.Text = []byte{}
		}
	}
	if k := b.confirmed; k != nil && k.HasText() {
		t.Confirmed = &agreement.Text{Format: b.Format, Text: k.Text}
	}
	return t
}

// isStream reports whether a recording is of chunks, rather than of messages.
func (r *Recording) isStream() bool { return r.Kind != protocol.KindTranscript }
