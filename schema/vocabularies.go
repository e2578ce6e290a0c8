package schema

import (
	"fmt"
	"slices"

	"github.com/lmclint/lmclint/internal/spelling"
)

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
