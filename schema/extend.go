package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/spelling"
)

// Extension is what a user adds to a dialect. It takes nothing away: a record
// that is valid without it is valid with it.
type Extension struct {
	Name      string // a dialect of ours, AllDialects, or a new name
	Extends   string // what a new dialect begins with; "" is the default dialect
	Roles     []string
	Keys      []string
	Languages []Language
	Types     []ExtensionType
}

// AllDialects is the name under which an extension is about every dialect that
// there is.
const AllDialects = "all"

// ExtensionType is a new type, or what is added to one. To a type that there is
// only formats and roles are added.
type ExtensionType struct {
	Name               string
	Summary            string
	Formats            []string
	FormatOptional     bool
	Roles              []string // that usually send it; empty: all
	Transcript, Stream bool     // where it may stand
}

// ExtensionError says that an extension makes no sense.
type ExtensionError struct {
	Index   int // of the extension, from 0
	Message string
}

// Error implements the interface error.
func (e *ExtensionError) Error() string { return e.Message }

// reserved reports whether a key has a meaning of its own.
func reserved(key string) bool {
	return slices.Contains([]string{"role", "type", "format", "content", "start", "end", "stop", "recipient", "auth", "ack"}, key)
}

// extend adds words to the dialect.
func (d *Dialect) extend(e *Extension) error {
	for _, key := range e.Keys {
		if reserved(key) {
			return fmt.Errorf("the key %q has a meaning of its own", key)
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

// union adds words to a list of its own.
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

func (d *Dialect) addType(e *ExtensionType) error {
	if strings.Contains(e.Name, ".") {
		return fmt.Errorf("the name of type %q has a dot, which keeps the schemas' own definitions apart from types", e.Name)
	}
	t, known := d.Type(e.Name)
	if !known {
		return d.newType(e)
	}
	if t.AnyCode && len(e.Formats) > 0 {
		return fmt.Errorf("the format of type %s is a programming language: add languages", t.Name)
	}
	t.Roles = union(t.Roles, e.Roles)
	for _, name := range e.Formats {
		if _, ok := t.Format(name); !ok {
			t.Formats = append(t.Formats, t.newFormat(name, t.Message, t.Chunk))
		}
	}
	if t.Options == FormatNone && len(e.Formats) > 0 {
		t.Options = FormatOptional
	}
	return nil
}

func (d *Dialect) newType(e *ExtensionType) error {
	if !e.Transcript && !e.Stream {
		return fmt.Errorf("the type %s may stand neither in a transcript nor in a stream", e.Name)
	}
	t := Type{
		Name: e.Name, Summary: e.Summary, Roles: slices.Clone(e.Roles),
		Message: e.Transcript, Chunk: e.Stream, Flags: e.Stream,
	}
	if t.Summary == "" {
		t.Summary = "A type of the user's own."
	}
	if len(t.Roles) == 0 {
		t.Roles = slices.Clone(d.Roles)
	}
	for _, name := range e.Formats {
		t.Formats = append(t.Formats, t.newFormat(name, e.Transcript, e.Stream))
	}
	switch {
	case len(e.Formats) == 0:
	case e.FormatOptional:
		t.Options = FormatOptional
	default:
		t.Options = FormatRequired
	}
	d.Types = append(d.Types, t)
	return nil
}

func (t *Type) newFormat(name string, message, chunk bool) Format {
	return Format{Name: name, Summary: "a format of the user's own", Message: message, Chunk: chunk}
}

// clone returns a dialect that shares nothing with the other.
func (d *Dialect) clone() *Dialect {
	c := *d
	c.Roles, c.Keys, c.NoteFormats = slices.Clone(d.Roles), slices.Clone(d.Keys), slices.Clone(d.NoteFormats)
	c.Types, c.Languages = slices.Clone(d.Types), slices.Clone(d.Languages)
	for i := range c.Types {
		c.Types[i].Roles, c.Types[i].Formats = slices.Clone(d.Types[i].Roles), slices.Clone(d.Types[i].Formats)
	}
	for i := range c.Languages {
		c.Languages[i].Aliases = slices.Clone(d.Languages[i].Aliases)
	}
	return &c
}

// Dialects are the dialects that there are: ours, with what a user added. They
// do not change. A nil pointer stands for ours alone.
type Dialects struct {
	names  []string
	byName map[string]*Dialect
}

// NewDialects adds extensions, in their order, to our dialects. It fails with
// an [*ExtensionError].
func NewDialects(extensions ...Extension) (*Dialects, error) {
	all := &Dialects{byName: map[string]*Dialect{}}
	for _, name := range Names() {
		d, _ := Lookup(name)
		all.names = append(all.names, name)
		all.byName[name] = d
	}
	for i := range extensions {
		if err := all.add(&extensions[i]); err != nil {
			return nil, &ExtensionError{i, err.Error()}
		}
	}
	return all, nil
}

func (a *Dialects) add(e *Extension) error {
	if e.Name == AllDialects {
		for _, name := range a.names {
			if err := a.byName[name].extend(e); err != nil {
				return err
			}
		}
		return nil
	}
	d := a.byName[e.Name]
	switch {
	case e.Name == "auto":
		return fmt.Errorf("auto is no dialect, but the word for finding it out")
	case d == nil:
		var err error
		if d, err = a.derive(e); err != nil {
			return err
		}
	case e.Extends != "" && e.Extends != d.Base:
		return fmt.Errorf("the dialect %s is there already, and does not extend %s", e.Name, e.Extends)
	}
	return d.extend(e)
}

// derive makes a new dialect that begins as another.
func (a *Dialects) derive(e *Extension) (*Dialect, error) {
	from := e.Extends
	if from == "" {
		from = a.names[0]
	}
	base := a.byName[from]
	if base == nil {
		message := fmt.Sprintf("no dialect %q to extend", from)
		if nearest, ok := spelling.Nearest(from, a.names); ok {
			message += "; did you mean " + nearest + "?"
		}
		return nil, fmt.Errorf("%s", message)
	}
	d := base.clone()
	d.Name = e.Name
	d.Title = "A dialect of the user's own"
	d.Base = base.Base
	if d.Base == "" {
		d.Base = base.Name
	}
	a.names = append(a.names, e.Name)
	a.byName[e.Name] = d
	return d, nil
}

// Names returns the names of the dialects, the default first.
func (a *Dialects) Names() []string {
	if a == nil {
		return Names()
	}
	return slices.Clone(a.names)
}

// Lookup returns the dialect of that name. It must not be changed.
func (a *Dialects) Lookup(name string) (*Dialect, bool) {
	if a == nil {
		return Lookup(name)
	}
	d, ok := a.byName[name]
	return d, ok
}
