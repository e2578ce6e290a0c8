package schema

import "slices"

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
		if d.Types[i].in(part) {
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

// isFlag reports whether a key is that of a flag, in this epoch or another.
func (d *Dialect) isFlag(key string) bool {
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

// hasContent reports whether a format of the type has that kind of content.
func (t *Type) hasContent(kind Content) bool {
	return slices.ContainsFunc(t.Formats, func(f Format) bool { return f.Content == kind })
}

func (t *Type) in(part Part) bool {
	return part == Message && t.Message || part == Chunk && t.Chunk
}

func (f *Format) in(part Part) bool {
	return part == Message && f.Message || part == Chunk && f.Chunk
}
