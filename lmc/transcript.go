package lmc

import "github.com/lmclint/lmclint/source"

// Transcript follows a saved conversation, a list of whole messages.
type Transcript struct {
	emit Emit
	end  source.Anchor
}

// NewTranscript makes a follower that hands its events to emit.
func NewTranscript(emit Emit) *Transcript { return &Transcript{emit: emit} }

// Step follows one message.
func (t *Transcript) Step(r *Record) {
	t.end.At(r.Source, nil)
	t.emit(&Event{Kind: Seen, Record: r})
	t.emit(&Event{Kind: Message, Record: r})
}

// Lost passes over a record that could not be read: it may have been any message.
func (t *Transcript) Lost(src *source.Record) {
	t.end.At(src, nil)
	t.emit(&Event{Kind: Message})
}

// Finish ends the conversation.
func (t *Transcript) Finish() { t.emit(&Event{Kind: Finished, Last: &t.end}) }
