package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/spelling"
)

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
	FormatOptional     bool     `yaml:"format-optional"`
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
type Dialects struct {
	names  []string
	byName map[string]*Dialect
}

// NewDialects applies extensions, in order, to the published dialects. Its
// error is an [*ExtensionError].
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

// Names returns the names of the dialects, the default first.
func (a *Dialects) Names() []string {
	if a == nil {
		return Names()
	}
	return slices.Clone(a.names)
}

// Lookup returns the dialect of that name, which the caller must not change.
func (a *Dialects) Lookup(name string) (*Dialect, bool) {
	if a == nil {
		return Lookup(name)
	}
	d, ok := a.byName[name]
	return d, ok
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
		return errors.New(`"auto" is reserved for detection and cannot name a dialect`)
	case d == nil:
		var err error
		if d, err = a.derive(e); err != nil {
			return err
		}
	case e.Extends != "" && e.Extends != d.Base:
		return fmt.Errorf("the dialect %s already exists and does not extend %s", e.Name, e.Extends)
	}
	return d.extend(e)
}

// derive adds a copy of a dialect under a new name.
func (a *Dialects) derive(e *Extension) (*Dialect, error) {
	from := e.Extends
	if from == "" {
		from = a.names[0]
	}
	base := a.byName[from]
	if base == nil {
		return nil, fmt.Errorf("no dialect %q to extend%s", from, spelling.DidYouMean(from, a.names))
	}
	d := base.clone()
	d.Name = e.Name
	d.Title = "Records of a custom dialect"
	d.Base = base.Base
	if d.Base == "" {
		d.Base = base.Name
	}
	a.names = append(a.names, e.Name)
	a.byName[e.Name] = d
	return d, nil
}

// clone returns a deep copy.
func (d *Dialect) clone() *Dialect {
	c := *d
	c.Roles, c.Keys, c.NoteFormats = slices.Clone(d.Roles), slices.Clone(d.Keys), slices.Clone(d.NoteFormats)
	c.Types, c.Languages = slices.Clone(d.Types), slices.Clone(d.Languages)
	c.Commands, c.KeyTypes = slices.Clone(d.Commands), cloneLists(d.KeyTypes)
	for i := range c.Types {
		c.Types[i] = c.Types[i].clone()
	}
	for i := range c.Languages {
		c.Languages[i].Aliases = slices.Clone(d.Languages[i].Aliases)
		c.Languages[i].Roles = slices.Clone(d.Languages[i].Roles)
	}
	return &c
}

// clone returns a deep copy.
func (t Type) clone() Type {
	t.Roles, t.Keys, t.RoleKeys = slices.Clone(t.Roles), slices.Clone(t.Keys), cloneLists(t.RoleKeys)
	t.Formats = slices.Clone(t.Formats)
	for i := range t.Formats {
		t.Formats[i].Roles = slices.Clone(t.Formats[i].Roles)
	}
	return t
}

// cloneLists returns a deep copy.
func cloneLists(lists map[string][]string) map[string][]string {
	c := maps.Clone(lists)
	for name := range c {
		c[name] = slices.Clone(c[name])
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

func (d *Dialect) addType(e *ExtensionType) error {
	if strings.Contains(e.Name, ".") {
		return fmt.Errorf("the name of type %q contains a dot, which is reserved for definitions in the schemas", e.Name)
	}
	t, known := d.Type(e.Name)
	if !known {
		return d.newType(e)
	}
	if t.AnyCode && len(e.Formats) > 0 {
		return fmt.Errorf("the format of type %s is a programming language: add languages", t.Name)
	}
	d.addRoles(t, e.Roles)
	for _, name := range e.Formats {
		if _, ok := t.Format(name); !ok {
			t.Formats = append(t.Formats, newFormat(name, t.Message, t.Chunk))
		}
	}
	if t.Options == FormatNone && len(e.Formats) > 0 {
		t.Options = FormatOptional
	}
	return nil
}

// addRoles adds roles to a type, in all its formats.
func (d *Dialect) addRoles(t *Type, roles []string) {
	t.Roles = union(t.Roles, roles)
	for i := range t.Formats {
		if f := &t.Formats[i]; f.Roles != nil {
			f.Roles = union(f.Roles, roles)
		}
	}
	for i := range d.Languages {
		if l := &d.Languages[i]; t.AnyCode && l.Roles != nil {
			l.Roles = union(l.Roles, roles)
		}
	}
}

func (d *Dialect) newType(e *ExtensionType) error {
	if !e.Transcript && !e.Stream {
		return fmt.Errorf("the type %s is allowed neither in transcripts nor in streams", e.Name)
	}
	t := Type{
		Name: e.Name, Summary: e.Summary, Roles: slices.Clone(e.Roles),
		Message: e.Transcript, Chunk: e.Stream, Flags: e.Stream,
	}
	if t.Summary == "" {
		t.Summary = "A custom type."
	}
	if len(t.Roles) == 0 {
		t.Roles = slices.Clone(d.Roles)
	}
	for _, name := range e.Formats {
		t.Formats = append(t.Formats, newFormat(name, e.Transcript, e.Stream))
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

func newFormat(name string, message, chunk bool) Format {
	return Format{Name: name, Summary: "a custom format", Message: message, Chunk: chunk}
}
