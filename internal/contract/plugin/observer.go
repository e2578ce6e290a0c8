package plugin

import "github.com/lmclint/lmclint/internal/source"

// Observer watches the check of one input, such as to draw it. The engine calls
// it from one goroutine at a time. It costs nothing where there is none; with
// one, every record takes the slow path. It cannot change the findings.
type Observer interface {
	// Begin is called when a conversation begins. The result watches it, nil
	// nothing.
	Begin(Conversation) ConversationObserver
}

// Conversation is what is known of a conversation when it begins.
type Conversation struct {
	Number   int    // as in source.Record
	Protocol string // name of the protocol
	Kind     string // as in Detection
	State    any    // of the session
}

// ConversationObserver watches one conversation. What it receives is valid
// during the call.
type ConversationObserver interface {
	// Record is called for each record and gap, before its events.
	Record(*source.Record)
	// Event is called for each event of the session that has happened, before
	// the rules answer it.
	Event(on Mask, event any)
	// Reported is called for each finding that is passed on, with those of its
	// places that are in the input: its own, and the related ones.
	Reported([]source.Place)
	// End is called once, at the end of the conversation or where the check
	// stopped, with the dialect in effect.
	End(dialect string)
}
