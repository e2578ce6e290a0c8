// Package plugin is the boundary between the engine, package lint, and the
// protocols that it runs. A [Protocol] detects its inputs and makes a
// [Session] for each conversation; the session turns records into events, which
// the engine passes to the hooks of the rules. The package contains interfaces and
// plain types only: the engine knows no protocol by name, and a program that
// embeds the linter does not need the package.
package plugin

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/lmclint/lmclint/internal/source"
)

// Sniffs reports whether detection looks at all records of an input when it has n of them:
// with each of the first 100, with each 20th of the first 1,000, by which protocols have
// decided, and then whenever their number has doubled: its time grows with their number.
func Sniffs(n int) bool { return n <= 100 || n <= 1000 && n%20 == 0 || n&(n-1) == 0 }

// Protocol is what the engine needs of a protocol. Its values are comparable,
// and safe for concurrent use.
type Protocol interface {
	// Name is the protocol's name in reports and flags, such as "lmc".
	Name() string

	// Sniff detects from the first records of an input whether it is of this
	// protocol. If final is set, it gets no more records and must decide.
	Sniff(first []*source.Record, form source.Form, config Config, final bool) Detection

	// MeaningOf returns what an object among other text or in another object is to the
	// protocol.
	MeaningOf(object *source.Node) source.Meaning

	// Prepare makes what all conversations under a configuration share, such as
	// compiled schemas. It returns a function that starts the check of one conversation
	// of a kind that Sniff returned, and that is safe for concurrent use, or
	// an error if the protocol does not support the configuration.
	Prepare(config Config) (newSession NewSession, err error)
}

// NewSession makes a session, which emits its events by a function.
type NewSession func(kind string, emit Emit) Session

// Detection is the result of Sniff.
type Detection struct {
	Kind string // "transcript", "stream" or "session"; "" asks for more records

	// Meanwhile is the kind as which the records are checked if they cannot wait until
	// Kind is decided, "" if they must.
	Meanwhile string

	// LooksLike, if not empty, says that the input is not of this protocol, and
	// what it looks like instead, as in "OpenAI chat messages". Kind is "" then.
	LooksLike string

	// Classify, if not nil, detects the kind of each conversation of an input with
	// conversations of several kinds, from its first records. Before is the kind of the
	// conversation before it, or of the input. "" asks for more records, and is an answer
	// only without final.
	Classify func(first []*source.Record, before string, final bool) (kind string)
	// KindOfPart, if not nil, returns the kind of a part of a text that begins with a
	// record, or "" if the next record decides it. Before is the kind of the part before it.
	KindOfPart func(first *source.Record, before string) string
	// JoinsLists is set if the lists of the input are parts of one conversation.
	JoinsLists bool

	// MatchCount is how many of the records are of this protocol. If several
	// protocols match, the one with the higher count is chosen.
	MatchCount int
}

// Inputs is a set of kinds of input.
type Inputs uint8

// The kinds of input.
const (
	Transcripts Inputs = 1 << iota // lists of whole messages
	Streams                        // chunks in the order in which they were emitted
	Sessions                       // both directions of a connection
	AnyInput    = Transcripts | Streams | Sessions
)

// Has reports whether the set contains all of other.
func (i Inputs) Has(other Inputs) bool { return i&other == other }

// inputNames are the names of the kinds, in the order of their bits.
var inputNames = []string{"transcript", "stream", "session"}

// InputsOf returns the set of the kind with a name, empty for an unknown one.
func InputsOf(name string) Inputs {
	if i := slices.Index(inputNames, name); i >= 0 {
		return 1 << i
	}
	return 0
}

// MarshalJSON returns the names.
func (i Inputs) MarshalJSON() ([]byte, error) { return json.Marshal(i.Names()) }

// Names returns the kinds of input in the set.
func (i Inputs) Names() []string {
	var names []string
	for n, name := range inputNames {
		if i.Has(1 << n) {
			names = append(names, name)
		}
	}
	return names
}

// Settings are what is known about the inputs. The zero value detects everything. Its
// values are comparable. In JSON they are the options of an example and of a program that
// checks one input.
type Settings struct {
	Protocol string `json:"protocol,omitempty"` // "lmc" or "workbench"; "" detects
	Dialect  string `json:"dialect,omitempty"`  // of LMC, as in "interpreter"; "" and "auto" detect
	Kind     string `json:"kind,omitempty"`     // "transcript", "stream" or "session"; "" detects
	Form     string `json:"form,omitempty"`     // "json", "jsonl", "sse" and so on: what cannot be parsed in it is wrong, and not of another kind; "" detects
	After    string `json:"-"`                  // text before each record on its line, if the form is "text"; "" reads all

	AutoRun    bool `json:"autoRun,omitempty"`    // the recording has no confirmations
	AllowEmpty bool `json:"allowEmpty,omitempty"` // accept inputs without records
	Partial    bool `json:"partial,omitempty"`    // do not report missing messages

	// Limits; 0 means the default.
	MaxRecordBytes   int64 `json:"maxRecordBytes,omitempty"` // of one record
	MaxUnpackedBytes int64 `json:"-"`                        // of a compressed input that expands too much
	MaxDepth         int   `json:"-"`                        // levels of arrays and objects

	// Tentative makes Protocol, Kind and Dialect apply only to inputs that are
	// detected to be of the protocol.
	Tentative bool `json:"-"`

	// Discovered says that the inputs were found in a directory and not named,
	// so that one without any sign of a protocol is of none, however broken it
	// is.
	Discovered bool `json:"-"`

	// Immediate says that a program waits for the findings of each record, so that
	// none waits until the dialect is known: "auto" is "interpreter" up to the first
	// record that only the server or the community's fork has.
	Immediate bool `json:"-"`

	// Live says that the input is the log of a connection that is open, and that a
	// frame is sent on once it was checked. It implies Immediate.
	Live bool `json:"-"`

	// Coverage asks for what occurs in the inputs. It implies that each record is parsed.
	Coverage bool `json:"-"`

	// Vocabulary is custom terms that extend the dialects, a *schema.Dialects,
	// or nil. Settings with equal ones are equal.
	Vocabulary any `json:"-"`

	// Against is the stored conversation that streams are compared with, or nil.
	// It must come from the protocol.
	Against any `json:"-"`
}

// Explicit reports whether the user set what the input is, so that detection
// must not reject it.
func (c Settings) Explicit() bool {
	return !c.Tentative && (c.Protocol != "" || c.Kind != "" || c.Dialect != "" && c.Dialect != "auto")
}

// Config are the settings of an input, and what the engine adds to them.
type Config struct {
	Settings

	// EmptyList says that the input is an object with an empty list of messages.
	// It is set for Sniff only.
	EmptyList bool

	// Fixing says that fixes are wanted whole, so that rules may answer events for
	// every record.
	Fixing bool

	// NoFastPath says that the fast path is not wanted.
	NoFastPath bool
}

// Coverage is what occurred in an input. It is collected only with Settings.Coverage.
type Coverage struct {
	Records  map[RecordKind]int // how often records of each kind occurred; those above maxRecordKinds are one kind without words
	Events   map[string]int     // how often something happened, by a plural: "blocks"
	Dialects map[string]bool    // in effect at the end of a conversation; published ones
	Touched  map[string]bool    // ids of requirements whose rules had a finding
}

// RecordKind is a kind of record. Words are what else decides which requirements apply to
// it: the kind of input, start, end or content, text, and keys.
type RecordKind struct{ Role, Type, Format, Words string }

// maxRecordKinds is how many kinds of record are counted apart.
const maxRecordKinds = 512

// NewCoverage returns a coverage of nothing.
func NewCoverage() *Coverage {
	return &Coverage{map[RecordKind]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}}
}

// Count counts records of a kind.
func (c *Coverage) Count(k RecordKind, records int) {
	if _, known := c.Records[k]; !known && len(c.Records) >= maxRecordKinds {
		k = RecordKind{}
	}
	c.Records[k] += records
}

// Add adds what occurred in another input or conversation, nil for nothing.
func (c *Coverage) Add(other *Coverage) {
	if other == nil {
		return
	}
	for k, n := range other.Records {
		c.Count(k, n)
	}
	for event, n := range other.Events {
		c.Events[event] += n
	}
	maps.Copy(c.Dialects, other.Dialects)
	maps.Copy(c.Touched, other.Touched)
}

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
	Form     string // as in Settings, as far as it is known
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
	// Reported is called for each place of a finding, with its severity, the value of a
	// lint.Severity, and what is in the input of it and of the related places.
	Reported(severity uint8, places []source.Place)
	// End is called once, at the end of the conversation or where the check
	// stopped, with the dialect in effect.
	End(dialect string)
}

// Records is an [Observer] that is called for each record and gap.
type Records func(*source.Record)

// Begin implements [Observer].
func (r Records) Begin(Conversation) ConversationObserver { return r }

// Record implements [ConversationObserver].
func (r Records) Record(src *source.Record) { r(src) }

// Event implements [ConversationObserver].
func (Records) Event(Mask, any) {}

// Reported implements [ConversationObserver].
func (Records) Reported(uint8, []source.Place) {}

// End implements [ConversationObserver].
func (Records) End(string) {}

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
