package plugin

import "github.com/lmclint/lmclint/internal/source"

// Mask is a set of event kinds. Only the protocol knows what the bits mean, but for
// DialectsLeft.
type Mask uint64

// DialectsLeft is the kind of the event by which a session says that the dialect in
// effect will not turn out to be another: a []string with the names of those that it
// still may turn out to be. The engine answers it, not the rules.
const DialectsLeft Mask = 1 << 60

// Emit passes an event of a session to the rules, and reports whether a rule has had a
// finding since the last Step or StepFast began. The event is valid during the call.
type Emit func(on Mask, event any) (found bool)

// Session turns the records of one conversation into events. The engine uses
// it from one goroutine at a time.
type Session interface {
	// State is shared with the rules through Pass.State.
	State() any
	// Step checks the next record and emits its events.
	Step(*source.Record)
	// Finish emits what the end of the conversation decides.
	Finish()
	// Dialect is the dialect in effect, and the published one by which severities are
	// looked up: itself, or the one that it extends. Both are "" in a protocol without.
	Dialect() (name, published string)
	// Outcome returns what else the records have shown. It is called once, at the end.
	// StoppedBy is the rule at which a program stopped the conversation, "" if it did not.
	Outcome(stoppedBy string) Outcome
	// FastPath returns what recognizes records by their bytes, nil for nothing: then every
	// record is parsed, with the same findings. It is called once, before the first record.
	FastPath() FastPath
}

// Outcome is what a session knows of its conversation besides the events.
type Outcome struct {
	// Coverage is what occurred, nil unless it was wanted.
	Coverage *Coverage
	// Closing are records, as JSON, that end the conversation well for a consumer that got
	// the records before the last one, at which a rule stopped it. They need
	// [Config.Immediate].
	Closing []string
}

// FastPath is the part of a session that steps over records without parsing them. Most
// records of a valid stream differ from an earlier one in a text only.
type FastPath interface {
	// StepFast steps over the records that the window begins with, as far as it
	// recognizes them. It stops after a record with a finding. It may omit events of
	// kinds that are not wanted.
	StepFast(window source.Window, wanted Mask) FastResult
	// Reset makes the session what it was when it was made, for another conversation. It
	// releases the records that it saw, and keeps what State returns and what it recognizes
	// records by.
	Reset()
}

// FastResult is how far StepFast came.
type FastResult struct {
	Records      int             // that it stepped over
	End          source.Position // of the text after them
	ShowsJSON    bool            // as in source.Window
	MissingBytes int             // if Records is 0: how many more bytes of text it needs to decide; 0 if more would not help
}
