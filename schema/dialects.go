package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lmclint/lmclint/internal/base/spelling"
)

// published are the published dialects, the default first. They are not changed.
var published = sync.OnceValue(func() *Dialects {
	set := &Dialects{}
	for _, p := range []struct {
		name, requirement, title, versions string // as in Dialect
		make                               func() *Dialect
	}{
		{"interpreter", "", "Records that Open Interpreter emits and stores", "0.3.6 to 0.4.2", interpreter},
		{"interpreter-0.3", "LMC-DIA-3", "Records of Open Interpreter before reviews", "0.3.4, 0.3.5", interpreter03},
		{"interpreter-0.2", "LMC-DIA-3", "Records of Open Interpreter when it confirmed every execution", "0.1.18 to 0.3.3", interpreter02},
		{"interpreter-0.1", "LMC-DIA-4", "Records of the first Open Interpreter with LMC messages", "0.1.17", interpreter01},
		{"server", "LMC-DIA-5", "Frames of the WebSocket of Open Interpreter's server", "0.3.6 to 0.4.2", server},
		{"docs", "LMC-DIA-2", "Records as the documentation describes them", "any release, as documented", docs},
		{"classic", "LMC-DIA-6", "Records that the community fork of Open Interpreter emits and stores", "endolith/open-interpreter, 2026", classic},
		{"01", "LMC-DIA-7", "Frames between the devices and the server of the 01", "OpenInterpreter/01", zeroOne},
	} {
		d := p.make()
		d.Name, d.Requirement, d.Title, d.Versions = p.name, p.requirement, p.title, p.versions
		set.list = append(set.list, d)
	}
	return set
})

// All returns the published dialects, the default first, which the caller must not change.
func All() []*Dialect { return published().list }

// Names returns the names of the published dialects, the default first.
func Names() []string { return published().Names() }

// Lookup returns the published dialect of that name, which the caller must not change.
func Lookup(name string) (*Dialect, bool) { return published().Lookup(name) }

// interpreter is the default dialect. The others are defined by what differs.
func interpreter() *Dialect {
	assistant := []string{"assistant"}
	return &Dialect{
		Roles:            []string{"user", "assistant", "computer", "system"},
		Types:            typesNamed("message", "console", "image", "code", "audio", "file", "confirmation", "review"),
		Keys:             []string{"id", "created_at"},
		EndKey:           "end",
		Confirmation:     ConfirmUnlessAutoRun,
		FinalNull:        true,
		NullLine:         true,
		Recipient:        true,
		OwnSystemMessage: true,
		Languages: []Language{
			{Name: "python", Aliases: []string{"py"}, Roles: assistant},
			{Name: "shell", Aliases: []string{"bash", "sh", "zsh", "batch", "bat"}, Roles: assistant},
			{Name: "javascript"},
			{Name: "html"},
			{Name: "applescript", Roles: assistant},
			{Name: "r", Roles: assistant},
			{Name: "powershell"},
			{Name: "react"},
			{Name: "ruby"},
			{Name: "java"},
		}, // of its languages directory
		NoteFormats: []string{"text", "markdown", "plaintext"},
		StorageRules: StorageRules{
			MaxOutput: 2800,
			CutNotice: "Output truncated. Showing the last %d characters. You should try again and use computer.ai.summarize(output) over the output, or break it down into smaller steps.\n\n",
			Rewrites:  true,
		},
		Completes: true,
		Commands:  []string{"go", "stop"},
	}
}

// interpreter03 has no reviews.
func interpreter03() *Dialect {
	d := interpreter()
	d.StorageRules = StorageRules{
		MaxOutput:           2800,
		CutNotice:           "Output truncated. Showing the last %d characters.\n\n",
		EmptyConsole:        true,
		AppendsToAnyMessage: true,
	}
	d.dropType("review")
	return d
}

// interpreter02 confirms every execution. Its WebSocket server ends a response
// with a completion.
func interpreter02() *Dialect {
	d := interpreter03()
	d.Roles = append(d.Roles, "server")
	d.Types = append(d.Types, typesNamed("completion")...)
	d.Confirmation = ConfirmAlways
	return d
}

// interpreter01 is the first release with LMC messages.
func interpreter01() *Dialect {
	d := interpreter03()
	d.StorageRules.MaxOutput = 2000
	d.dropFormat("image", "description")
	d.EndKey = "stop"
	d.Confirmation = ConfirmAlways
	d.FinalNull = false
	return d
}

// server has the frames of the WebSocket, in both directions.
func server() *Dialect {
	d := interpreter()
	d.Roles = append(d.Roles, "server")
	d.Types = append(d.Types, typesNamed("command", "status", "error", "completion")...)
	d.Confirmation = ConfirmNever
	d.ServerFrames = true
	return d
}

// docs follows the documentation literally.
func docs() *Dialect {
	d := interpreter()
	d.Roles = []string{"user", "assistant", "computer"}
	d.dropType("file")
	d.dropType("review")
	d.dropFormat("image", "description")
	d.dropFormat("audio", "bytes.wav")
	d.dropFormat("audio", "bytes.raw")
	d.Confirmation = ConfirmAlways
	d.FinalNull = false
	d.DigitStrings = true
	d.LegacyConfirm = true
	d.Recipient = false
	d.OwnSystemMessage = false
	d.StrictRoles = true
	return d
}

func (d *Dialect) dropType(name string) {
	d.Types = slices.DeleteFunc(d.Types, func(t Type) bool { return t.Name == name })
}

func (d *Dialect) dropFormat(typ, name string) {
	if t, ok := d.Type(typ); ok {
		t.Formats = slices.DeleteFunc(t.Formats, func(f Format) bool { return f.Name == name })
	}
}

// classic is the dialect of the fork of Open Interpreter that its community
// maintains.
func classic() *Dialect {
	d := server()
	d.Roles = append(d.Roles, "tool")
	d.Types = append(d.Types, typesNamed("edit", "tool_call", "view_image_call", "edit_approved",
		"view_image_approval", "notice", "stop_live_display")...)
	d.Keys = append(d.Keys,
		"sent_at", "shrink", "tool_call_id", "confirmation_id", "name", "arguments", "path", "target", "source",
		"paths", "reason", "replace", "alert_kind", "edit_preview",
	)
	d.KeyTypes = map[string][]string{
		"sent_at": {"number", "string", "null"}, "shrink": {"boolean", "null"},
		"tool_call_id": {"string"}, "confirmation_id": {"string"}, "name": {"string"}, "path": {"string"}, "target": {"string"},
		"source": {"string", "null"}, "paths": {"array"}, "reason": {"string", "null"}, "replace": {"boolean"},
		"alert_kind": {"string", "null"}, "edit_preview": {"object", "null"},
		"arguments": {"string", "object", "array", "number", "boolean", "null"}, // what the model sent
	}
	assistant := []string{"assistant"}
	d.Languages = []Language{
		{Name: "python", Roles: assistant},
		{Name: "bash", Roles: assistant},
		{Name: "cmd"},
		{Name: "powershell"},
		{Name: "javascript"},
		{Name: "html"},
		{Name: "applescript", Roles: assistant},
		{Name: "r", Roles: assistant},
		{Name: "react"},
		{Name: "ruby"},
		{Name: "java"},
		{Name: "perl"},
		{Name: "augeas"},
	} // without aliases
	d.Confirmation = ConfirmUnlessAutoRun
	d.OpenConfirm = true
	d.LateOutput = true
	d.Allowlist = true
	d.EmptyOutput = true
	d.StorageRules.KeepsEmptyOutput = true
	d.NamedGo = true
	d.QueuesEarly = true
	d.addFormats("message", FormatOptional,
		Format{Name: "reasoning", Summary: "the reasoning of the model before its answer", Message: true, Chunk: true},
		Format{Name: "system_alert", Summary: "a notice from the program", Message: true, Chunk: true})
	d.addFormats("confirmation", FormatRequired,
		Format{Name: "edit", Summary: "the change to a file that is about to be made", Content: ContentEdit, Chunk: true})
	if t, ok := d.Type("message"); ok {
		t.Roles = []string{"user", "assistant", "tool"}
		t.RoleKeys = map[string][]string{"tool": {"tool_call_id"}}
	}
	return d
}

// zeroOne is the dialect between the devices and the server of
// OpenInterpreter/01. Sound is sent in binary frames between the flags of its
// block.
func zeroOne() *Dialect {
	d := server()
	d.ClientRuns = true
	d.FinalNull = false
	d.Completes = false
	return d
}

// addFormats adds formats to a type.
func (d *Dialect) addFormats(typ string, option FormatOption, formats ...Format) {
	if t, ok := d.Type(typ); ok {
		t.Options = option
		t.Formats = append(t.Formats, formats...)
	}
}

// Extension adds custom terms to a dialect. It removes nothing: a record that
// is valid without it is valid with it.
type Extension struct {
	Name      string // a dialect to extend, AllDialects, or the name of a new dialect
	Extends   string // the dialect that a new one derives from; "" is the default dialect
	Roles     []string
	Keys      []string
	Languages []Language
	Types     []ExtensionType
}

// AllDialects is the name of an extension of every dialect.
const AllDialects = "all"

// ExtensionType is a new type, or adds formats and roles to an existing one.
type ExtensionType struct {
	Name               string
	Summary            string
	Formats            []string
	FormatOptional     bool
	Roles              []string // the roles that commonly send it; none means all
	Transcript, Stream bool     // where it is allowed
}

// ExtensionError is the error of an invalid extension.
type ExtensionError struct {
	Index   int // of the extension, 0-based
	Message string
}

// Error implements the error interface.
func (e *ExtensionError) Error() string { return e.Message }

// Dialects is an immutable set of dialects: the published ones with extensions,
// and custom ones. A nil pointer is the set of the published ones.
type Dialects struct{ list []*Dialect } // the default first

// NewDialects applies extensions, in order, to the published dialects. Its
// error is an [*ExtensionError].
func NewDialects(extensions ...Extension) (*Dialects, error) {
	all := &Dialects{slices.Clone(All())}
	for i := range extensions {
		if err := all.add(&extensions[i]); err != nil {
			return nil, &ExtensionError{i, err.Error()}
		}
	}
	return all, nil
}

// Names returns the names of the dialects, the default first.
func (a *Dialects) Names() (names []string) {
	if a == nil {
		a = published()
	}
	for _, d := range a.list {
		names = append(names, d.Name)
	}
	return names
}

// Lookup returns the dialect of that name, which the caller must not change.
func (a *Dialects) Lookup(name string) (*Dialect, bool) {
	if a == nil {
		a = published()
	}
	for _, d := range a.list {
		if d.Name == name {
			return d, true
		}
	}
	return nil, false
}

// add extends a copy of a dialect, which may be a new one.
func (a *Dialects) add(e *Extension) error {
	if e.Name == AllDialects {
		for _, name := range a.Names() {
			each := *e
			each.Name, each.Extends = name, ""
			if err := a.add(&each); err != nil {
				return err
			}
		}
		return nil
	}
	from := cmp.Or(e.Extends, a.list[0].Name)
	base, isKnown := a.Lookup(from)
	i := slices.IndexFunc(a.list, func(d *Dialect) bool { return d.Name == e.Name })
	switch {
	case e.Name == "auto":
		return errors.New(`"auto" is reserved for detection and cannot name a dialect`)
	case i >= 0 && e.Extends != "" && e.Extends != a.list[i].Base:
		return fmt.Errorf("the dialect %s already exists and does not extend %s", e.Name, e.Extends)
	case i >= 0:
		a.list[i] = a.list[i].clone()
	case !isKnown:
		return fmt.Errorf("no dialect %q to extend%s", from, spelling.DidYouMean(from, a.Names()))
	default:
		d := base.clone()
		d.Name, d.Title, d.Base = e.Name, "Records of a custom dialect", cmp.Or(base.Base, base.Name)
		i, a.list = len(a.list), append(a.list, d)
	}
	return a.list[i].extend(e)
}

// clone returns a deep copy. A dialect is data that JSON can write.
func (d *Dialect) clone() *Dialect {
	c := new(Dialect)
	text, err := json.Marshal(d)
	if err = errors.Join(err, json.Unmarshal(text, c)); err != nil {
		panic(err)
	}
	return c
}

// extend adds the terms of an extension to the dialect.
func (d *Dialect) extend(e *Extension) error {
	reserved := []string{"role", "type", "format", "content", "start", "end", "stop", "recipient", "auth", "ack"}
	for _, key := range e.Keys {
		if slices.Contains(reserved, key) {
			return fmt.Errorf("the key %q is reserved", key)
		}
	}
	d.Roles = union(d.Roles, e.Roles)
	d.Keys = union(d.Keys, e.Keys)
	for _, l := range e.Languages {
		d.addLanguage(l)
	}
	for i := range e.Types {
		if err := d.addType(&e.Types[i]); err != nil {
			return err
		}
	}
	return nil
}

// union returns a new list of the words of two lists, each once.
func union(words, more []string) []string {
	words = slices.Clone(words)
	for _, word := range more {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

func (d *Dialect) addLanguage(l Language) {
	for i := range d.Languages {
		if d.Languages[i].Name == l.Name {
			d.Languages[i].Aliases = union(d.Languages[i].Aliases, l.Aliases)
			return
		}
	}
	d.Languages = append(d.Languages, Language{Name: l.Name, Aliases: slices.Clone(l.Aliases)})
}

// addType adds a type, or roles and formats to one that exists.
func (d *Dialect) addType(e *ExtensionType) error {
	t, exists := d.Type(e.Name)
	switch {
	case strings.Contains(e.Name, "."):
		return fmt.Errorf("the name of type %q contains a dot, which is reserved for definitions in the schemas", e.Name)
	case exists && t.AnyCode && len(e.Formats) > 0:
		return fmt.Errorf("the format of type %s is a programming language: add languages", t.Name)
	case exists:
	case !e.Transcript && !e.Stream:
		return fmt.Errorf("the type %s is allowed neither in transcripts nor in streams", e.Name)
	default:
		d.Types = append(d.Types, Type{
			Name: e.Name, Summary: cmp.Or(e.Summary, "A custom type."), Message: e.Transcript, Chunk: e.Stream, Flags: e.Stream,
		})
		t = &d.Types[len(d.Types)-1]
	}
	t.Roles = union(t.Roles, e.Roles)
	if len(t.Roles) == 0 {
		t.Roles = slices.Clone(d.Roles)
	}
	for i := range t.Formats {
		if f := &t.Formats[i]; f.Roles != nil {
			f.Roles = union(f.Roles, e.Roles)
		}
	}
	for i := range d.Languages {
		if l := &d.Languages[i]; t.AnyCode && l.Roles != nil {
			l.Roles = union(l.Roles, e.Roles)
		}
	}
	for _, name := range e.Formats {
		if _, ok := t.Format(name); !ok {
			t.Formats = append(t.Formats, Format{Name: name, Summary: "a custom format", Message: t.Message, Chunk: t.Chunk})
		}
	}
	switch {
	case t.Options != FormatNone || len(e.Formats) == 0:
	case exists || e.FormatOptional:
		t.Options = FormatOptional
	default:
		t.Options = FormatRequired
	}
	return nil
}
