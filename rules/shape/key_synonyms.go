package shape

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/fix/offer"
	"github.com/lmclint/lmclint/internal/lmc"
	"github.com/lmclint/lmclint/internal/protocol"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/internal/spelling"
	"github.com/lmclint/lmclint/lint"
)

// rename is an unknown key that was written instead of a missing one.
type rename struct {
	node     *source.Node
	key      string
	misspelt bool // the only known key that it is near to
}

// renamesOf returns the unknown keys of a record that were written instead of
// missing ones: misspellings, and words of other programs.
func renamesOf(s *protocol.State, r *lmc.Record, missing []string) (renames []rename) {
	known := append(slices.Clone(s.Dialect.KnownKeys(s.Part())), missing...)
	nearest := func(name string) string { key, _ := spelling.Nearest(name, known); return key }
	for i, meant := range []func(string) string{nearest, protocol.KeyFor} {
		isSynonym := i == 1
		for i := range r.Source.Root.Children {
			n := &r.Source.Root.Children[i]
			if knowsKey(s, n.Name) || protocol.IsWorkbenchKey(n) {
				continue
			}
			key := meant(n.Name)
			isFlag := key == "start" || key == s.Dialect.EndKey
			if !slices.Contains(missing, key) || isFlag && n.Kind != source.Bool {
				continue // such as "started" with a time
			}
			only, ok := spelling.Only(n.Name, known)
			renames = append(renames, rename{n, key, !isSynonym && ok && only == key})
			missing = slices.DeleteFunc(slices.Clone(missing), func(other string) bool {
				return other == key || isPayload(other) && isPayload(key)
			})
		}
	}
	return renames
}

// isPayload reports whether a record needs only one of the key and others like it.
func isPayload(key string) bool { return key != "role" && key != "type" && key != "format" }

// withRemedy completes the finding that a record lacks keys. It moves the finding
// to a key that must be renamed. The finding's help is for a record without such a
// key, and without an open block that shows what is missing.
func withRemedy(p *lint.Pass, v *protocol.Violation, missing []string, f lint.Finding) lint.Finding {
	renames := renamesOf(protocol.StateOf(p), v.Record, missing)
	f.Place = v.Place()
	var help, words []string
	for i, m := range renames {
		if i == 0 {
			f.Place = v.Record.Source.PlaceOfKey(m.node)
		}
		words = append(words, protocol.Quoted(m.node.Name)+" to "+protocol.Quoted(m.key))
	}
	f.Fix = renameFix(v.Record, renames)
	if len(renames) > 0 {
		help = append(help, "rename "+protocol.AllOf(words))
	}
	added, known := additions(v, missing, renames)
	switch {
	case known:
		words := "add " + protocol.AllOf(added) + ", as the open block has"
		if len(renames) == 0 && slices.Contains(missing, "content") {
			words += `, and "content"`
		}
		help = append(help, words)
	case len(renames) > 0 && len(added) > 0:
		help = append(help, "add "+protocol.AllOf(added))
	}
	if len(help) > 0 {
		f.Help = strings.Join(help, "; ")
	}
	return f
}

// renameFix returns the fix that renames keys. It is unsafe if one of them is not
// a misspelling, but a word of other programs.
func renameFix(r *lmc.Record, renames []rename) *lint.Fix {
	if len(renames) == 0 {
		return nil
	}
	whole := &lint.Fix{Safe: true}
	for _, m := range renames {
		fix := offer.RenameKey(r.Source, r.Source.Root, m.node, m.key)
		if fix == nil {
			return nil
		}
		if whole.Message != "" {
			whole.Message += ", "
		}
		whole.Message += fix.Message
		whole.Edits = append(whole.Edits, fix.Edits...)
		whole.Safe = whole.Safe && m.misspelt
	}
	if len(whole.Edits) == 0 {
		return nil
	}
	return whole
}

// additions returns the missing keys that no rename gives, except the content: with
// the values of the open block, if these are known.
func additions(v *protocol.Violation, missing []string, renames []rename) (added []string, known bool) {
	known = true
	for _, key := range missing {
		if isPayload(key) || slices.ContainsFunc(renames, func(m rename) bool { return m.key == key }) {
			continue
		}
		word := protocol.Quoted(key)
		value := valueOfBlock(v, key)
		if value == "" {
			known = false
		} else {
			word += ": " + protocol.Quoted(value)
		}
		added = append(added, word)
	}
	return added, known && len(added) > 0
}

// valueOfBlock returns the value of a missing key in the open block that the record
// belongs to by its other keys, or "".
func valueOfBlock(v *protocol.Violation, key string) string {
	b, r := v.Open, v.Record
	if b == nil || r.Role != "" && r.Role != b.Role || r.Type != "" && r.Type != b.Type {
		return ""
	}
	for _, of := range []struct {
		key, value string
		part       lmc.InvalidParts
	}{{"role", b.Role, lmc.InvalidRole}, {"type", b.Type, lmc.InvalidType}, {"format", b.Format, lmc.InvalidFormat}} {
		if of.key == key && b.Invalid()&of.part == 0 {
			return of.value
		}
	}
	return ""
}

// valuesOf returns the values of a key for help: one as JSON, or several as a list.
func valuesOf(words []string) string {
	if len(words) == 1 {
		return protocol.Quoted(words[0])
	}
	return protocol.AnyOf(words)
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
