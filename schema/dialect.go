package schema

// Dialect is the vocabulary of one epoch of the protocol, and what else it
// does in its own way. Rules ask it, and never test its name.
type Dialect struct {
	Name     string   // "interpreter"
	Base     string   // of our dialects the one that a user's own began with; "" for ours
	Title    string   // one line for people
	Versions string   // the releases that speak it, for people: "0.3.6 to 0.4.2"
	Roles    []string // in the order in which they are listed to people
	Types    []Type
	Keys     []string // keys beside role, type, format, content, start, end, recipient

	EndKey        string       // the key of an end flag: "end", or "stop" in 0.1.17
	OpenConfirm   bool         // a confirmation's content may have further keys
	Confirmation  Confirmation // when a confirmation stands before an execution
	FinalNull     bool         // an execution ends with active_line null
	DigitStrings  bool         // active_line may be a string of digits, as the documents show it
	NullLine      bool         // active_line may be null
	LegacyConfirm bool         // a confirmation may hold {type, language, code}
	Recipient     bool         // recipient may stand on content and messages
	ServerFrames  bool         // typeless user flags, auth and ack frames
	StrictRoles   bool         // a stream's chunks come from assistant and computer only
	Completes     bool         // the server closes each response with a frame of its own
	Commands      []string     // what a user's command may say
	NamedGo       bool         // "go:" may be followed by the id of what it approves

	Languages    []Language
	NoteFormats  []string // code formats that are text, not code to run: text, markdown, plaintext
	StorageRules StorageRules
}

// StorageRules is how the interpreter that speaks a dialect stores what it streams.
type StorageRules struct {
	MaxOutput           int    // code points of a console message that are kept by default
	CutNotice           string // what stands before cut output, with %d for the number kept
	EmptyConsole        bool   // an empty console message is stored at each confirmation
	AppendsToAnyMessage bool   // output behind an active_line goes to the last message, whatever that is
	Rewrites            bool   // code is rewritten before it runs, and a note becomes a message
}

// Confirmation says when a dialect's streams hold confirmations.
type Confirmation uint8

// The ways of a dialect with confirmations.
const (
	ConfirmAlways        Confirmation = iota + 1 // before every execution, with auto_run too
	ConfirmUnlessAutoRun                         // before every execution, unless recorded with auto_run
	ConfirmNever                                 // the dialect has none
)

// Type is a message type with its formats.
type Type struct {
	Name    string
	Summary string   // one sentence for people; it becomes the description in the published schemas
	Example string   // a content of the type, for the examples of the published schemas
	Formats []Format // empty: the type takes no format
	AnyCode bool     // any string is a format: the type's format is a programming language
	Options FormatOption
	Roles   []string // the roles that commonly send it
	Message bool     // may stand in a transcript
	Chunk   bool     // may be streamed
	Flags   bool     // is streamed between a start and an end flag
	Bare    bool     // needs no content: other keys say what it is
}

// FormatOption says whether a type's format must be there.
type FormatOption uint8

// The ways of a type with its format.
const (
	FormatNone          FormatOption = iota // never
	FormatRequired                          // always
	FormatOptional                          // may be left out, as with file
	FormatOnContentOnly                     // on content, and not on flags, as with console
)

// Format is one format of a type.
type Format struct {
	Name    string
	Summary string // what its content is, for people
	Example string // a content of the format; "" stands for the type's
	Content Content
	Message bool // may stand in a transcript: active_line may not
	Chunk   bool // may be streamed: description may not
}

// Content says what a content must be.
type Content uint8

// The kinds of content.
const (
	ContentString       Content = iota // any string
	ContentLine                        // active_line: a positive integer or null
	ContentConfirmation                // the object of a confirmation
	ContentObject                      // any object
)

// Language is a programming language of the interpreter's languages directory.
type Language struct {
	Name    string   // as the directory spells it
	Aliases []string // other spellings that the interpreter understands
}
