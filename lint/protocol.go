package lint

import "github.com/lmclint/lmclint/internal/source"

// Protocol is what a protocol plugs into the engine.
type Protocol interface {
	// Name is the protocol's name in reports and flags, such as "lmc".
	Name() string

	// Sniff looks at the first records of an input and says what it is. With
	// final there are no more records to come, and Sniff must decide.
	Sniff(first []*source.Record, form source.Form, config Config, final bool) Detection

	// Prepare makes what all conversations under a configuration share, such as
	// compiled schemas. It fails on a configuration that the protocol does not know.
	Prepare(config Config) (SessionFactory, error)
}

// Owner is a protocol that can say of a single object, found among other text,
// whether it is meant to be a record of the protocol. Of an object that cannot
// be read there is only the Data. A protocol without it owns none.
type RecordMatcher interface {
	Protocol
	IsRecord(*source.Record) bool
}

// Sorter is a protocol that tells the kind of each conversation of an input in
// which they are of different kinds, by its first records; a Verdict without a
// Kind asks for more, unless there are no more. Without it all are what Sniff said.
type Classifier interface {
	Protocol
	Classify(first []*source.Record, form source.Form, config Config, sniffed Detection, final bool) Detection
}

// Opener starts checks under one configuration. It is safe for concurrent use.
type SessionFactory interface {
	// Open starts the check of one conversation of a kind that Sniff gave.
	NewSession(kind string) Session
}

// Verdict is what Sniff found.
type Detection struct {
	Kind   string // "transcript", "stream" or "session"; "" asks for more records
	Inputs Inputs // the kind as a set of one

	// Foreign says, if not empty, that the input is not of this protocol, and
	// what it looks like, as in "OpenAI chat messages". It comes with no Kind.
	LooksLike string

	// Claim is how many of the records are known to be of this protocol. Where
	// two protocols know records of an input, the one with more of them has it.
	MatchCount int
}

// Session follows one conversation.
type Session interface {
	// State is shared with the rules through Pass.State.
	State() any
	// Step judges the next record and emits what happened.
	Step(*source.Record, func(Mask, any))
	// Finish emits what the end of the conversation decides.
	Finish(emit func(Mask, any))
	// Dialect is the dialect in force, by which severities are looked up.
	Dialect() string
}

// Derived is a session whose dialect may be a user's own. It is looked up for
// severities by the dialect that it began with.
type Derived interface {
	Session

	// BaseDialect is that dialect, "" if the dialect is none of a user's own.
	BaseDialect() string
}

// Skimmer is a session that recognises records by their bytes. Most records of
// a healthy stream differ from an earlier one in nothing but a text; they need
// not be taken apart to be followed. A session without it is as right, and
// slower.
type FastSession interface {
	Session

	// Skim follows the records that a stretch of the input begins with, as far
	// as it recognises them. It stops after a record of which a rule found
	// something, as emit reports. It need not emit events of kinds that are not
	// wanted.
	StepFast(stretch source.Window, wanted Mask, emit func(Mask, any) (found bool)) FastResult

	// Learn takes note of a record that was judged, and of which no rule found
	// anything.
	CacheRecord(*source.Record)
}

// Recogniser is a skimmer that can spare the engine the detection: where an
// input begins with a record by which it was told before what an input is, it
// is the same again. A session without it is as right, and slower.
type DetectionCacher interface {
	FastSession

	// Opened says that detection knew a conversation for what it is by its first
	// record, in an input of that form, and that this is the record that was
	// judged last.
	CacheOpening(form source.Form)

	// Recognises reports whether a stretch begins with a record that differs from
	// such a one, in an input of that form, in nothing that any protocol looks at
	// in Sniff or Sort. If so, Skim comes next, with the same stretch.
	HasOpening(stretch source.Window, form source.Form) bool
}

// Renewable is a session that can follow another conversation when one has ended.
type ResettableSession interface {
	Session

	// Renew makes the session what it was when it was opened, and lets go of the
	// records that it saw. State must go on returning the same.
	Reset()
}

// Skimmed is how far Skim came.
type FastResult struct {
	Records int
	Behind  source.Position // of what comes next
	Lacks   int             // it came nowhere, but might with so many more bytes of text; else 0
}

// Config is what the user says about an input. The zero value detects.
type Config struct {
	Protocol string // a protocol by name, or "" to detect
	Kind     string // transcript, stream, session, or "" to detect
	Dialect  string // a protocol's dialect by name, or "" or "auto" to detect
	AutoRun  bool   // the recording was made without confirmations
	Partial  bool   // records that belong to the conversation may be missing

	// Tentative says that Protocol, Kind and Dialect hold for an input that turns
	// out to be of the protocol, and do not say that it is.
	Tentative bool

	// Vocabulary is what a user added to a protocol's dialects, as the package
	// of the protocol's rules takes it; nil for nothing. Configs with equal ones
	// are equal.
	Vocabulary any

	// FormNamed says that the recorded form was named, so that what cannot be
	// read in it is wrong, and not of another kind.
	FormNamed bool

	// Searched says that the input was come upon and not named, so that one that
	// shows no sign of a protocol is of none, however broken it is.
	Discovered bool

	// Against is a stored conversation that streams are compared with, as the
	// protocol's package read it, or nil.
	Against any

	// AllowEmpty says that an input without any record is no mistake.
	AllowEmpty bool
}

// Explicit reports whether the user settled what the input is, so that
// nothing is to be doubted.
func (c Config) Explicit() bool {
	return !c.Tentative && (c.Protocol != "" || c.Kind != "" || c.Dialect != "" && c.Dialect != "auto")
}
