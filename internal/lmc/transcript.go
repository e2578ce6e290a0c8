package lmc

import "github.com/lmclint/lmclint/internal/source"

// Transcript follows a saved conversation, a list of whole messages.
type Transcript struct {
	emit  Emit
	event Event
}

// NewTranscript returns a Transcript that passes its events to emit.
func NewTranscript(emit Emit) *Transcript { return &Transcript{emit: emit} }

// Step follows one message.
func (t *Transcript) Step(r *Record) {
	t.send(Event{Kind: Shape, Record: r})
	t.Follow(r)
}

// Follow is Step without a Shape event.
func (t *Transcript) Follow(r *Record) {
	t.send(Event{Kind: Message, Record: r})
	switch r.Type {
	case "image", "audio", "file":
		t.send(Event{Kind: Attachment, Record: r})
	}
}

// SetLast does nothing: no event is about the end of a transcript.
func (t *Transcript) SetLast(*source.Record) {}

// SetWanted does nothing: a transcript has few kinds of events.
func (t *Transcript) SetWanted(Kind) {}

// send emits an event, which is valid during the call only.
func (t *Transcript) send(e Event) {
	t.event = e
	t.emit(&t.event)
}

// SkipUnreadable skips a record that could not be read: it may have been any message.
func (t *Transcript) SkipUnreadable(*source.Record) {
	t.send(Event{Kind: Message})
}

// Finish ends the conversation.
func (t *Transcript) Finish() { t.send(Event{Kind: Finished}) }
