package compare

import "github.com/lmclint/lmclint/internal/judge/agreement"

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
func explain(list []Difference, isStreamFirst bool) {
	side := func(d *Difference) (block, message *Block) {
		if isStreamFirst {
			return d.A, d.B
		}
		return d.B, d.A
	}
	for i := range list {
		d := &list[i]
		switch block, message := side(d); {
		case d.Change == Changed:
			if why, ok := agreement.Explain(&block.Block, &message.Block); ok {
				d.Reason = reasons[why]
			}
		case d.Change != Moved && message != nil && agreement.IsDisplayNote(&message.Block):
			d.Reason = reasons[agreement.StoredByDisplay]
		}
	}
	for i := range max(0, len(list)-1) { // a changed block next to one without a message, which may be the output of both
		a, b := &list[i], &list[i+1]
		first, message := side(a)
		second, other := side(b)
		if first == nil || second == nil || (message == nil) == (other == nil) || a.Reason != "" || b.Reason != "" {
			continue
		}
		if message == nil {
			message = other
		}
		if first.Type == "console" && second.Type == "console" && message.Type == "console" &&
			agreement.HoldsJoined(&first.Block, &second.Block, &message.Block) {
			a.Reason, b.Reason = reasons[agreement.JoinedOutput], reasons[agreement.JoinedOutput]
		}
	}
}
