package shape

import (
	"slices"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/spelling"
)

// keySynonym returns an unknown key of the record that was written instead of a
// missing one, and the missing key; both are "" if there is none.
func keySynonym(s *protocol.State, v *protocol.Violation) (found, key string) {
	if v.Instead != "" {
		key, _ = spelling.Nearest(v.Instead, s.Dialect.KnownKeys(s.Part()))
		return v.Instead, key
	}
	for i := range v.Record.Source.Root.Children {
		name := v.Record.Source.Root.Children[i].Name
		if protocol.KeyFor(name) == v.Key && !knowsKey(s, name) {
			return name, v.Key
		}
	}
	return "", ""
}

// missingKeyHelp returns the help for a missing key: which key to rename or, if
// the record has no synonym, otherwise.
func missingKeyHelp(s *protocol.State, v *protocol.Violation, otherwise string) string {
	if found, key := keySynonym(s, v); key != "" {
		return "rename " + protocol.Quoted(found) + " to " + protocol.Quoted(key)
	}
	return otherwise
}

// knowsKey reports whether a record of the input may have a key.
func knowsKey(s *protocol.State, name string) bool {
	return s.Dialect.HasKey(s.Part(), name)
}

// missingKeys are the keys that the rules about missing keys reported for the
// current record.
type missingKeys struct {
	record int // its index in the input plus 1; 0 before the first
	keys   []string
}

// note adds a violation of the current record.
func (l *missingKeys) note(v *protocol.Violation) {
	if number := v.Record.Source.Index + 1; l.record != number {
		l.record, l.keys = number, l.keys[:0]
	}
	if v.IsMissingKey() {
		l.keys = append(l.keys, v.Key)
	}
}

// explained reports whether an unknown key is a synonym of a missing one, so that
// the missing key is the only mistake.
func (l *missingKeys) explained(key string) bool {
	return slices.Contains(l.keys, protocol.KeyFor(key))
}
