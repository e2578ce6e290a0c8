package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/spelling"
)

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

// Type returns the type of that name.
func (d *Dialect) Type(name string) (*Type, bool) {
	for i := range d.Types {
		if d.Types[i].Name == name {
			return &d.Types[i], true
		}
	}
	return nil, false
}

// TypeNames returns the names of the types that may stand in that part.
func (d *Dialect) TypeNames(part Part) []string {
	var names []string
	for i := range d.Types {
		if d.Types[i].In(part) {
			names = append(names, d.Types[i].Name)
		}
	}
	return names
}

// HasRole reports whether the dialect knows the role.
func (d *Dialect) HasRole(name string) bool { return slices.Contains(d.Roles, name) }

// KnownKeys returns the keys that a record of that part may have, without the
// auth and ack of a server's frames.
func (d *Dialect) KnownKeys(part Part) []string {
	keys := []string{"role", "type", "format", "content"}
	if part == Chunk {
		keys = append(keys, "start", d.EndKey)
	}
	if d.Recipient {
		keys = append(keys, "recipient")
	}
	return append(keys, d.Keys...)
}

// HasKey reports whether KnownKeys lists a key.
func (d *Dialect) HasKey(part Part, key string) bool {
	switch {
	case part == Chunk && (key == "start" || key == d.EndKey), d.Recipient && key == "recipient":
		return true
	}
	return key == "role" || key == "type" || key == "format" || key == "content" || slices.Contains(d.Keys, key)
}

// otherEnds are the spellings of the end flag that other epochs have.
func (d *Dialect) otherEnds() []string {
	ends := []string{"end", "stop"}
	return slices.DeleteFunc(ends, func(key string) bool { return key == d.EndKey || slices.Contains(d.Keys, key) })
}

// IsFlag reports whether a key is that of a flag, in this epoch or another.
func (d *Dialect) IsFlag(key string) bool {
	switch key {
	case "start", d.EndKey:
		return true
	case "end", "stop":
		return !slices.Contains(d.Keys, key)
	}
	return false
}

// Format returns the format of that name. Of a type whose format is a
// programming language it knows none.
func (t *Type) Format(name string) (*Format, bool) {
	for i := range t.Formats {
		if t.Formats[i].Name == name {
			return &t.Formats[i], true
		}
	}
	return nil, false
}

// FormatNames returns the names of the formats that may stand in that part.
func (t *Type) FormatNames(part Part) []string {
	var names []string
	for i := range t.Formats {
		if t.Formats[i].in(part) {
			names = append(names, t.Formats[i].Name)
		}
	}
	return names
}

// HasRole reports whether the role commonly sends the type.
func (t *Type) HasRole(name string) bool { return slices.Contains(t.Roles, name) }

// In reports whether records of the type may stand in that part.
func (t *Type) In(part Part) bool {
	return part == Message && t.Message || part == Chunk && t.Chunk
}

func (f *Format) in(part Part) bool {
	return part == Message && f.Message || part == Chunk && f.Chunk
}

// languages is the interpreter's languages directory.
func languages() []Language {
	return []Language{
		{Name: "python", Aliases: []string{"py"}},
		{Name: "shell", Aliases: []string{"bash", "sh", "zsh", "batch", "bat"}},
		{Name: "javascript"},
		{Name: "html"},
		{Name: "applescript"},
		{Name: "r"},
		{Name: "powershell"},
		{Name: "react"},
		{Name: "ruby"},
		{Name: "java"},
	}
}

// Language returns the language that a code format names. Exact reports
// whether it is spelled as the languages directory spells it; aliases, upper
// case and surrounding white space are understood too.
func (d *Dialect) Language(format string) (lang *Language, exact, ok bool) {
	for i := range d.Languages {
		if d.Languages[i].Name == format {
			return &d.Languages[i], true, true
		}
	}
	format = strings.TrimSpace(format)
	for i := range d.Languages {
		if d.Languages[i].understands(format) {
			return &d.Languages[i], false, true
		}
	}
	return nil, false, false
}

func (l *Language) understands(format string) bool {
	if strings.EqualFold(l.Name, format) {
		return true
	}
	for _, alias := range l.Aliases {
		if strings.EqualFold(alias, format) {
			return true
		}
	}
	return false
}

// Note reports whether a code format is text to read, not code to run. Upper
// case and surrounding white space do not matter.
func (d *Dialect) Note(format string) bool {
	format = strings.TrimSpace(format)
	for _, note := range d.NoteFormats {
		if strings.EqualFold(note, format) {
			return true
		}
	}
	return false
}

// LanguageNames returns the languages' names as the directory spells them.
func (d *Dialect) LanguageNames() []string {
	names := make([]string, 0, len(d.Languages))
	for _, l := range d.Languages {
		names = append(names, l.Name)
	}
	return names
}

// Command returns the command that a text is or is probably meant to be, ""
// if it is near none, and whether it is spelled as the server wants it.
func (d *Dialect) Command(text string) (command string, exact bool) {
	if slices.Contains(d.Commands, text) {
		return text, true
	}
	name, id, named := strings.Cut(text, ":")
	if d.NamedGo && named && name == "go" && id != "" {
		return name, true
	}
	for _, known := range d.Commands {
		if strings.EqualFold(strings.TrimSpace(text), known) || named && strings.EqualFold(name, known) {
			return known, false
		}
	}
	command, _ = spelling.Nearest(text, d.Commands)
	return command, false
}

// Part says which of a dialect's schemas judges a record.
type Part uint8

// The published schemas that judge one record.
const (
	Message Part = iota + 1 // a whole message of a transcript
	Chunk                   // a record of a stream or of a session
)

// String returns the name of the part's published schema.
func (p Part) String() string {
	switch p {
	case Message:
		return "message"
	case Chunk:
		return "chunk"
	}
	return "unknown"
}

// Recipients returns the values that a recipient may have.
func Recipients() []string { return []string{"user", "assistant"} }

// ContentFor returns the kind of content that a record of the type has by its
// format, which may be unknown or missing.
func (t *Type) ContentFor(part Part, format string) Content {
	if f, ok := t.Format(format); ok {
		return f.Content
	}
	if kinds := t.contents(part); len(kinds) == 1 {
		return kinds[0]
	}
	return ContentString
}

// IsPublished reports whether the dialect is one of ours, unchanged.
func (d *Dialect) IsPublished() bool {
	own, ok := Lookup(d.Name)
	return ok && reflect.DeepEqual(d, own)
}
