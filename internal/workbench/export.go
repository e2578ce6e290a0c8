package workbench

import (
	"strconv"

	"github.com/lmclint/lmclint/internal/source"
)

// sequence is the order of an export's messages in one conversation.
type sequence struct {
	last int64
	text string
	fell bool // the last one did not rise
}

// stepExport follows a line of an export.
func (f *Tracker) stepExport(t *conversation, r *Record) {
	switch r.Table() {
	case "Conversation":
		t.known = true
	case "ConversationMessage":
		if !t.known && !t.told && !f.doubtful && r.ConversationID != "" {
			t.told = true
			f.emit(&Event{Kind: MissingConversation, Record: r, Message: r.Message})
		}
	case "ConversationMessageDebug":
		id, form := ParseUUID(r.Data.Member("message_id").Text())
		if _, known := f.ids[id]; form != NoUUID && !known && !f.full && !f.doubtful {
			f.emit(&Event{Kind: MissingMessage, Record: r})
		}
	}
}

// rise compares a message's sequence with the one before.
func (t *conversation) checkSequence(r *Record) {
	n := r.Data.Member("sequence")
	if r.Shape != ShapeExport || n == nil || n.Kind != source.Number {
		return
	}
	value, err := strconv.ParseInt(string(n.Raw()), 10, 64)
	if err != nil {
		return
	}
	s := &t.sequence
	fell := s.text != "" && value <= s.last
	if fell && !s.fell {
		t.follower.emit(&Event{Kind: SequenceNotIncreasing, Record: r, Message: r.Message, Before: s.text})
	}
	t.disordered = t.disordered || fell
	s.last, s.text, s.fell = value, strconv.FormatInt(value, 10), fell
}
