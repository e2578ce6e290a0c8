package shape

import (
	"slices"
	"strings"

	"github.com/lmclint/lmclint/internal/base/spelling"
	"github.com/lmclint/lmclint/internal/contract/fix"
	"github.com/lmclint/lmclint/internal/judge/offer"
	"github.com/lmclint/lmclint/internal/judge/protocol"
	"github.com/lmclint/lmclint/internal/model/lmc"
	"github.com/lmclint/lmclint/internal/source"
	"github.com/lmclint/lmclint/lint"
)

// synonyms are words of other programs, by the word of LMC for the same.
type synonyms map[string][]string

// meaning returns the word of LMC for a word of other programs, or "".
func (s synonyms) meaning(word string) string {
	for meant, words := range s {
		if slices.Contains(words, strings.ToLower(word)) {
			return meant
		}
	}
	return ""
}

// rename is an unknown key that was written instead of a missing one.
type rename struct {
	node     *source.Node
	key      string
	misspelt bool // the only known key that it is near to
}

// renamesOf returns the unknown keys of a record that were written instead of
// missing ones: misspellings, and words of other programs.
func renamesOf(s *protocol.State, r *lmc.Record, missing []string) (renames []rename) {
	var unknown []*source.Node
	isLine := slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return n.Text() == "active_line" }) // its content may be null
	for i := range r.Source.Root.Children {
		if n := &r.Source.Root.Children[i]; (isLine || r.Null(n.Name) == nil) && !knowsKey(s, n.Name) && !protocol.IsWorkbenchKey(n) {
			unknown = append(unknown, n)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	known := append(s.Dialect.KnownKeys(s.Part), missing...)
	nearest := func(name string) string { key, _ := spelling.Nearest(name, known); return key }
	for i, meant := range []func(string) string{nearest, protocol.KeyFor} {
		isSynonym := i == 1
		for _, n := range unknown {
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

// isConfirmation reports whether a record has the type of a confirmation under any key.
func isConfirmation(r *lmc.Record) bool {
	return slices.ContainsFunc(r.Root.Children, func(n source.Node) bool { return n.Text() == "confirmation" })
}

// withRemedy completes the finding that a record lacks keys. It moves the finding
// to a key that must be renamed. The finding's help is for a record without such a
// key, and without an open block that shows what is missing.
func withRemedy(p *lint.Pass, v *protocol.Violation, missing []string, f lint.Finding) lint.Finding {
	r := v.Record.Source
	s := protocol.StateOf(p)
	renames := renamesOf(s, v.Record, missing)
	if slices.ContainsFunc(renames, func(m rename) bool { return m.key == "type" }) && v.Record.Key("format") == nil {
		// Only with its type does the record lack a format.
		renames = append(renames, slices.DeleteFunc(renamesOf(s, v.Record, []string{"format"}), func(m rename) bool { return !m.misspelt })...)
	}
	f.Place = v.Place()
	if n := v.Record.Null(v.Key); n != nil {
		f.Place = r.PlaceOf(n)
	}
	var help, words, added []string
	var adding []lint.Edit
	for i, m := range renames {
		switch renaming := offer.RenameKey(r, v.Record.Root, m.node, m.key); {
		case i == 0:
			f.Place, f.Fix = r.PlaceOfKey(m.node), renaming
		case f.Fix == nil || renaming == nil:
			f.Fix = nil
		default:
			f.Fix.Message += ", " + renaming.Message
			f.Fix.Edits = append(f.Fix.Edits, renaming.Edits...)
		}
		word := protocol.Quoted(m.node.Name) + " to " + protocol.Quoted(m.key)
		if m.key == "content" && len(m.node.Children) > 0 && !isConfirmation(v.Record) {
			word, f.Fix = word+", with its text as a string", nil
		}
		if f.Fix != nil {
			f.Fix.Safe = f.Fix.Safe && m.misspelt // a word of other programs may mean something else
		}
		words = append(words, word)
	}
	if len(renames) > 0 {
		help = append(help, "rename "+protocol.AllOf(words))
	}
	known := true // the open block has the values of the keys to add
	for _, key := range missing {
		if isPayload(key) || slices.ContainsFunc(renames, func(m rename) bool { return m.key == key }) {
			continue
		}
		word, value := protocol.Quoted(key), valueOfBlock(v, key)
		if value != "" {
			word += ": " + protocol.Quoted(value)
			adding = append(adding, offer.Set(v.Record, key, value)...)
		}
		known = known && value != ""
		added = append(added, word)
	}
	switch {
	case len(added) == 0:
	case known:
		if len(renames) == 0 {
			f.Fix = fix.Unsafe("add "+protocol.AllOf(added), adding)
		} else if f.Fix != nil {
			f.Fix = fix.Unsafe(f.Fix.Message+", add "+protocol.AllOf(added), append(f.Fix.Edits, adding...))
		}
		words := "add " + protocol.AllOf(added) + ", as the open block has"
		if len(renames) == 0 && slices.Contains(missing, "content") {
			words += `, and "content"`
		}
		help = append(help, words)
	case len(renames) > 0:
		help = append(help, "add "+protocol.AllOf(added))
		f.Fix = nil // they would still be missing
	}
	if len(help) > 0 {
		f.Help = strings.Join(help, "; ")
	}
	return f
}

// addKey returns the fix that adds a key with the only value that it can have, or nil.
func addKey(r *lmc.Record, key string, values []string) *lint.Fix {
	if len(values) != 1 {
		return nil
	}
	return fix.Unsafe("add "+protocol.Quoted(key)+": "+protocol.Quoted(values[0]), offer.Set(r, key, values[0]))
}

// valueOfBlock returns the value of a missing key in the open block that the record
// belongs to by its other keys, or "".
func valueOfBlock(v *protocol.Violation, key string) string {
	b, r := v.Open, v.Record
	if b == nil || r.Role != "" && r.Role != b.Role || r.Type != "" && b.Type != "" && r.Type != b.Type {
		return ""
	}
	switch invalid := b.Invalid(); {
	case key == "role" && invalid&lmc.InvalidRole == 0:
		return b.Role
	case key == "type" && invalid&lmc.InvalidType == 0:
		return b.Type
	case key == "format" && invalid&lmc.InvalidFormat == 0:
		return b.Format
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
	return s.Dialect.HasKey(s.Part, name)
}
