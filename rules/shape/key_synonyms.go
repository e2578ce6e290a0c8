package shape

import (
	"slices"

	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/internal/validate"
)

// keyFor is the key for which other programs and protocols have another word,
// or "" [wild].
func keyFor(word string) string {
	switch word {
	case "from", "sender", "author", "speaker":
		return "role"
	case "kind", "messageType", "message_type":
		return "type"
	case "language", "lang", "messageFormat", "message_format":
		return "format"
	case "text", "message", "body", "value", "delta", "output", "code", "data":
		return "content"
	}
	return ""
}

// meant returns the unknown key of a record that stands for a missing one, and
// the key that it stands for; or "".
func keySynonym(s *protocol.State, v *protocol.Violation) (found, key string) {
	if v.Instead != "" {
		key, _ = spelling.Nearest(v.Instead, s.Dialect.KnownKeys(s.Part()))
		return v.Instead, key
	}
	for i := range v.Record.Source.Root.Children {
		name := v.Record.Source.Root.Children[i].Name
		if keyFor(name) == v.Key && !knowsKey(s, name) {
			return name, v.Key
		}
	}
	return "", ""
}

// instead is the help for a missing key: the key that was probably meant for
// it or, if there is none, what to do.
func missingKeyHelp(s *protocol.State, v *protocol.Violation, otherwise string) string {
	if found, key := keySynonym(s, v); key != "" {
		return "did you write " + protocol.Quoted(found) + " for " + protocol.Quoted(key) + "?"
	}
	return otherwise
}

// knowsKey reports whether a record of the input may have a key.
func knowsKey(s *protocol.State, name string) bool {
	return s.Dialect.HasKey(s.Part(), name)
}

// lacks reports whether a shape rule told that a record lacks a key, and that
// another key stands for it. The shape rules see a record one after another.
type missingKeys struct {
	record int // its number, from 1
	keys   []string
}

// note takes in what one shape rule told.
func (l *missingKeys) note(v *protocol.Violation) {
	if number := v.Record.Source.Index + 1; l.record != number {
		l.record, l.keys = number, l.keys[:0]
	}
	switch v.Cause {
	case validate.MissingRole, validate.MissingType, validate.MissingFormat:
		l.keys = append(l.keys, v.Key)
	}
}

// explained reports whether an unknown key was named as what stands for a
// missing one.
func (l *missingKeys) explained(key string) bool { return slices.Contains(l.keys, keyFor(key)) }
