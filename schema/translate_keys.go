package schema

import (
	"slices"

	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
)

// addMissing reports a key that the record lacks, and the unknown key that
// was probably meant for it.
func (tr *translation) addMissing(key string) {
	rule := map[string]string{
		"role": "LMC101", "type": "LMC103", "format": "LMC105", "content": "LMC108",
	}[key]
	if rule == "" || key == "type" && tr.isTypeless() {
		return
	}
	violation := tr.violation(rule, tr.root, tr.expectedFor(key))
	violation.Key = key
	violation.Instead = tr.meantFor(tr.keysFor(key))
	tr.found = append(tr.found, violation)
}

// isTypeless reports whether a record is a flag of the user's that needs no
// type, but for what else is wrong with it.
func (tr *translation) isTypeless() bool {
	role := tr.root.Member("role")
	if !tr.dialect.ServerFrames || tr.part != Chunk || role == nil || role.Kind != source.String || role.Text() != "user" {
		return false
	}
	return tr.root.Member("content") == nil || tr.root.Member("start") != nil || tr.root.Member(tr.dialect.EndKey) != nil
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
	known := tr.dialect.KnownKeys(tr.part)
	for i := range tr.root.Children {
		name := tr.root.Children[i].Name
		if slices.Contains(known, name) {
			continue
		}
		if nearest, _ := spelling.Nearest(name, known); slices.Contains(keys, nearest) {
			return name
		}
	}
	return ""
}

// maxUnknown is how many unknown keys settle may need: it reports one, and
// each of four others can stand for a missing key.
const maxUnknown = 5

// addUnknown reports the record's unknown keys; settle leaves one.
func (tr *translation) addUnknown(l *leaf) {
	known, count := tr.dialect.KnownKeys(tr.part), 0
	for i := range tr.root.Children {
		member := &tr.root.Children[i]
		if l.allows(member.Name) {
			continue
		}
		tr.found = append(tr.found, tr.unknown("LMC110", member, known))
		if count++; count == maxUnknown {
			return
		}
	}
}

func (tr *translation) unknown(rule string, member *source.Node, known []string) Violation {
	violation := tr.violation(rule, member, known)
	violation.AtKey = true
	violation.describe(fromName)
	violation.Nearest, _ = spelling.Nearest(member.Name, known)
	return violation
}
