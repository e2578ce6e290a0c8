package lmc

import "github.com/lmclint/lmclint/internal/source"

// Transcript follows a saved conversation, a list of whole messages.
type Transcript struct {
	emit  Emit
	event Event
}

// NewTranscript makes a follower that hands its events to emit.
func NewTranscript(emit Emit) *Transcript { return &Transcript{emit: emit} }

// Step follows one message.
func (t *Transcript) Step(r *Record) {
	t.tell(Event{Kind: Seen, Record: r})
	t.Follow(r)
}

// Follow is Step for a record that is told of to nobody.
func (t *Transcript) Follow(r *Record) {
	t.tell(Event{Kind: Message, Record: r})
	switch r.Type {
	case "image", "audio", "file":
		t.tell(Event{Kind: Attachment, Record: r})
	}
}

// Last does nothing: a message ends by itself, wherever the transcript ends.
func (t *Transcript) Last(*source.Record) {}

// Want does nothing: the kinds of events of a transcript are few.
func (t *Transcript) SetWanted(Kind) {}

// tell hands over an event, which is good during the call only.
func (t *Transcript) tell(e Event) {
	t.event = e
	t.emit(&t.event)
}

// SkipUnreadable passes over a record that could not be read: it may have been any message.
func (t *Transcript) SkipUnreadable(*source.Record) {
	t.tell(Event{Kind: Message})
}

// Finish ends the conversation.
func (t *Transcript) Finish() { t.tell(Event{Kind: Finished}) }
