package schema

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
)

// Dialect is the vocabulary of one version of the LMC protocol, with the
// switches in which it differs from others. Rules read the switches and never
// compare the name.
type Dialect struct {
	Name        string   // "interpreter"
	Base        string   // the published dialect that a custom one derives from; "" for a published one
	Title       string   // one line, for the published schemas
	Versions    string   // the releases that use it: "0.3.6 to 0.4.2"
	Requirement string   // of docs/protocol.md, that the dialect is defined by; "" for the default
	Roles       []string // in the order in which messages list them
	Types       []Type
	Keys        []string            // keys besides role, type, format, content, start, end, recipient
	KeyTypes    map[string][]string // the JSON types of the values of some of Keys; an array is of strings

	EndKey           string       // the key of an end flag: "end", or "stop" in 0.1.17
	OpenConfirm      bool         // the content of a confirmation may have other keys; removed is a string or null
	LateOutput       bool         // messages may occur between code or an edit and its output
	Allowlist        bool         // code on a list of the user's runs without a confirmation
	EmptyOutput      bool         // empty console output says that code ran and printed nothing
	Confirmation     Confirmation // when a confirmation precedes an execution
	FinalNull        bool         // an execution ends with active_line null
	DigitStrings     bool         // active_line may be a string of digits, as in the documentation
	NullLine         bool         // active_line may be null
	LegacyConfirm    bool         // the content of a confirmation may be {type, language, code}
	Recipient        bool         // content and messages may have a recipient
	ServerFrames     bool         // user flags without a type, auth frames and ack frames are valid
	OwnSystemMessage bool         // the interpreter adds its own system message, and fails if another is stored
	ClientRuns       bool         // a client has a computer of its own, and sends what that did
	StrictRoles      bool         // only assistant and computer send the chunks of a stream
	Completes        bool         // the server sends a frame after each complete response
	Commands         []string     // the contents of a user's command
	QueuesEarly      bool         // the server keeps the frames that come before authentication
	NamedGo          bool         // "go:" may be followed by the id of what it approves

	Languages    []Language
	NoteFormats  []string // code formats that are text, not code to run: text, markdown, plaintext
	StorageRules StorageRules
}

// StorageRules describes how the interpreter of a dialect stores what it
// streams.
type StorageRules struct {
	MaxOutput           int    // code points of a console message that are kept by default
	CutNotice           string // the text before truncated output, with %d for the number kept
	KeepsEmptyOutput    bool   // empty console output is stored
	EmptyConsole        bool   // each confirmation stores an empty console message
	AppendsToAnyMessage bool   // output after an active_line is appended to the last message of any type
	Rewrites            bool   // code is rewritten before it runs, and a note becomes a message
}

// Confirmation says when the streams of a dialect contain confirmations.
type Confirmation uint8

// The values of [Confirmation].
const (
	ConfirmAlways        Confirmation = iota + 1 // before every execution, also with auto_run
	ConfirmUnlessAutoRun                         // before every execution, unless recorded with auto_run
	ConfirmNever
)

// Type is a message type with its formats.
type Type struct {
	Name     string
	Summary  string   // one sentence, the description in the published schemas
	Example  string   // a content of the type, for the published schemas
	Formats  []Format // none: the type has no formats
	AnyCode  bool     // the format is a programming language and may be any string
	Options  FormatOption
	Roles    []string            // the roles that commonly send it
	Keys     []string            // keys besides role, type, format and content that whole records of it have
	RoleKeys map[string][]string // keys that messages and contents of a role have
	Message  bool                // is allowed in a transcript
	Chunk    bool                // is allowed in a stream
	Flags    bool                // is streamed between a start and an end flag
	Bare     bool                // has no content: other keys have the information
	NoRole   bool                // needs no role
}

// FormatOption says which records of a type have a format.
type FormatOption uint8

// The values of [FormatOption].
const (
	FormatNone          FormatOption = iota // no record
	FormatRequired                          // every record
	FormatOptional                          // any record, as with file
	FormatOnContentOnly                     // content but not flags, as with console
)

// Format is one format of a type.
type Format struct {
	Name    string
	Summary string // describes the content, for the published schemas
	Example string // a content of the format; "" means the type's example
	Content Content
	Roles   []string // the roles that commonly send it; nil: those of the type
	Message bool     // is allowed in a transcript: active_line is not
	Chunk   bool     // is allowed in a stream: description is not
	Empty   bool     // the content may be empty: write makes an empty file of it
}

// Content says which values a content may have.
type Content uint8

// The values of [Content].
const (
	ContentString       Content = iota // any string
	ContentLine                        // of active_line: a positive integer or null
	ContentConfirmation                // the object of a confirmation
	ContentEdit                        // the object of a confirmation of an edit
)

// Language is a programming language of the interpreter's languages directory.
type Language struct {
	Name    string   // as the directory spells it
	Aliases []string // other spellings that the interpreter accepts
	Roles   []string // the roles that commonly send code in it; nil: those of type code
}

// Part selects one of the two schemas of single records.
type Part uint8

// The values of [Part].
const (
	Message Part = iota + 1 // a whole message of a transcript
	Chunk                   // a record of a stream or session
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

// Recipients returns the values of the key recipient.
func Recipients() []string { return []string{"user", "assistant"} }

// Type returns the type of that name.
func (d *Dialect) Type(name string) (*Type, bool) {
	for i := range d.Types {
		if d.Types[i].Name == name {
			return &d.Types[i], true
		}
	}
	return nil, false
}

// HasType reports whether a type is allowed in a part.
func (d *Dialect) HasType(name string, part Part) bool {
	t, ok := d.Type(name)
	return ok && t.In(part)
}

// TypeNames returns the names of the types that are allowed in a part.
func (d *Dialect) TypeNames(part Part) []string {
	var names []string
	for i := range d.Types {
		if d.Types[i].In(part) {
			names = append(names, d.Types[i].Name)
		}
	}
	return names
}

// HasRole reports whether the dialect defines a role.
func (d *Dialect) HasRole(name string) bool { return slices.Contains(d.Roles, name) }

// KnownKeys returns the keys that a record of a part may have, without the auth
// and ack of server frames.
func (d *Dialect) KnownKeys(part Part) []string {
	keys := make([]string, 0, 7+len(d.Keys))
	keys = append(keys, "role", "type", "format", "content")
	if part == Chunk {
		keys = append(keys, "start", d.EndKey)
	}
	if d.Recipient {
		keys = append(keys, "recipient")
	}
	return append(keys, d.Keys...)
}

// HasKey reports whether [Dialect.KnownKeys] contains a key. It makes no list: it is called
// for each dialect where a record has an unknown key.
func (d *Dialect) HasKey(part Part, key string) bool {
	switch {
	case part == Chunk && (key == "start" || key == d.EndKey), d.Recipient && key == "recipient":
		return true
	}
	return key == "role" || key == "type" || key == "format" || key == "content" || slices.Contains(d.Keys, key)
}

// otherEnds returns the keys of end flags in other dialects.
func (d *Dialect) otherEnds() []string {
	ends := []string{"end", "stop"}
	return slices.DeleteFunc(ends, func(key string) bool { return key == d.EndKey || slices.Contains(d.Keys, key) })
}

// IsFlag reports whether a key is that of a flag, in this or another dialect.
func (d *Dialect) IsFlag(key string) bool {
	switch key {
	case "start", d.EndKey:
		return true
	case "end", "stop":
		return !slices.Contains(d.Keys, key)
	}
	return false
}

// Language returns the language that a code format names. Exact reports
// whether the format is the name in the languages directory; aliases, upper
// case and surrounding whitespace are accepted, too.
func (d *Dialect) Language(format string) (lang *Language, exact, ok bool) {
	for i := range d.Languages {
		if d.Languages[i].Name == format {
			return &d.Languages[i], true, true
		}
	}
	format = strings.TrimSpace(format)
	matches := func(name string) bool { return strings.EqualFold(name, format) }
	for i := range d.Languages {
		if l := &d.Languages[i]; matches(l.Name) || slices.ContainsFunc(l.Aliases, matches) {
			return l, false, true
		}
	}
	return nil, false, false
}

// LanguageNames returns the names of the languages.
func (d *Dialect) LanguageNames() []string {
	names := make([]string, 0, len(d.Languages))
	for _, l := range d.Languages {
		names = append(names, l.Name)
	}
	return names
}

// IsNote reports whether a code format means text to read, not code to run. Case
// and surrounding whitespace are ignored.
func (d *Dialect) IsNote(format string) bool {
	format = strings.TrimSpace(format)
	return slices.ContainsFunc(d.NoteFormats, func(note string) bool { return strings.EqualFold(note, format) })
}

// Command returns the command that a text is or was probably meant to be, or
// "". Exact reports whether the server accepts the text.
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

// BeginsCommand reports whether a text is a command, or the beginning of one.
func (d *Dialect) BeginsCommand(text string) bool {
	isBeginning := func(command string) bool { return strings.HasPrefix(command, text) }
	return slices.ContainsFunc(d.Commands, isBeginning) || d.NamedGo && strings.HasPrefix(text, "go:")
}

// In reports whether records of the type are allowed in a part.
func (t *Type) In(part Part) bool {
	return part == Message && t.Message || part == Chunk && t.Chunk
}

// Format returns the format of that name. A type whose format is a programming
// language has none.
func (t *Type) Format(name string) (*Format, bool) {
	for i := range t.Formats {
		if t.Formats[i].Name == name {
			return &t.Formats[i], true
		}
	}
	return nil, false
}

// MayBeEmpty reports whether the content of a type and a format may be empty.
func (d *Dialect) MayBeEmpty(typ, format string) bool {
	t, ok := d.Type(typ)
	if !ok {
		return false
	}
	f, ok := t.Format(format)
	return ok && f.Empty
}

// FormatNames returns the names of the formats that are allowed in a part.
func (t *Type) FormatNames(part Part) []string {
	var names []string
	for i := range t.Formats {
		if t.Formats[i].in(part) {
			names = append(names, t.Formats[i].Name)
		}
	}
	return names
}

// HasRole reports whether a role commonly sends the type, in any format.
func (t *Type) HasRole(name string) bool { return slices.Contains(t.Roles, name) }

// RolesFor returns the roles that commonly send a type in a format, which may be
// unknown or missing ("").
func (d *Dialect) RolesFor(t *Type, format string) []string {
	var roles []string
	if f, ok := t.Format(format); ok {
		roles = f.Roles
	} else if t.AnyCode {
		if l, _, ok := d.Language(format); ok {
			roles = l.Roles
		}
	}
	if roles == nil {
		return t.Roles
	}
	return roles
}

// ContentFor returns which values the content of a record may have by its
// format, which may be unknown or missing ("").
func (t *Type) ContentFor(part Part, format string) Content {
	if f, ok := t.Format(format); ok {
		return f.Content
	}
	if kinds := t.contents(part); len(kinds) == 1 {
		return kinds[0]
	}
	return ContentString
}

// contents returns the different contents of the type's formats in a part.
func (t *Type) contents(part Part) []Content {
	var kinds []Content
	for i := range t.Formats {
		if f := &t.Formats[i]; f.in(part) && !slices.Contains(kinds, f.Content) {
			kinds = append(kinds, f.Content)
		}
	}
	if len(kinds) == 0 {
		return []Content{ContentString}
	}
	return kinds
}

func (f *Format) in(part Part) bool {
	return part == Message && f.Message || part == Chunk && f.Chunk
}
