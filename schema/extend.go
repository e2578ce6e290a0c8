package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
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
