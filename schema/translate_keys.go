package schema

import "github.com/lmclint/lmclint/source"

// addMissing reports a key that the record lacks, and the unknown key that
// was probably meant for it.
func (tr *translation) addMissing(key string) {
	rule := map[string]string{
		"role": "LMC101", "type": "LMC103", "format": "LMC105", "content": "LMC108",
	}[key]
	if rule == "" {
		return
	}
	violation := tr.violation(rule, tr.root, tr.expectedFor(key))
	violation.Key = key
	violation.Instead = tr.meantFor(tr.keysFor(key))
	tr.found = append(tr.found, violation)
}

// keysFor are the keys of which one would do.
func (tr *translation) keysFor(key string) []string {
	if key == "content" && tr.part == Chunk && (tr.typ == nil || tr.typ.Flags) {
		return []string{"content", "start", tr.dialect.EndKey}
	}
	return []string{key}
}

func (tr *translation) expectedFor(key string) []string {
	switch {
	case key == "role":
		return tr.dialect.Roles
	case key == "type":
		return tr.dialect.TypeNames(tr.part)
	case key == "format" && tr.typ != nil && tr.typ.AnyCode:
		return tr.dialect.LanguageNames()
	case key == "format" && tr.typ != nil:
		return tr.typ.FormatNames(tr.part)
	}
	return tr.keysFor(key)
}

// meantFor returns the first unknown key of the record that looks like one of
// the given keys more than like any other.
func (tr *translation) meantFor(keys []string) string {
	for i := range tr.root.Children {
		name := tr.root.Children[i].Name
		if tr.isKnown(name) {
			continue
		}
		nearest, _ := Nearest(name, tr.dialect.KnownKeys(tr.part))
		for _, key := range keys {
			if nearest == key {
				return name
			}
		}
	}
	return ""
}

func (tr *translation) isKnown(name string) bool {
	for _, known := range tr.dialect.KnownKeys(tr.part) {
		if name == known {
			return true
		}
	}
	return false
}

// addUnknown reports the record's unknown keys; settle leaves the first.
func (tr *translation) addUnknown(l *leaf) {
	for i := range tr.root.Children {
		if member := &tr.root.Children[i]; !l.allows(member.Name) {
			tr.found = append(tr.found, tr.unknown("LMC110", member, tr.dialect.KnownKeys(tr.part)))
		}
	}
}

func (tr *translation) unknown(rule string, member *source.Node, known []string) Violation {
	violation := tr.violation(rule, member, known)
	violation.AtKey = true
	violation.Found = quoted(member.Name)
	violation.Nearest, _ = Nearest(member.Name, known)
	return violation
}
